"""CUDA: kernels for labels, tables and distances on an NVIDIA GPU, of arrays of any library.

``joint.cu`` has the kernels that count and ``plan`` chooses between them, ``table.cu`` those of what scores read of a
table, ``expected.cu`` that of the expected mutual information, ``distances.cu`` those of what internal measures read of
all distances. ``kernels`` compiles them; ``tabulate``, ``table``, ``expected`` and ``distances`` launch them, on arrays
of CuPy; ``arrays`` brings arrays of other libraries to CuPy and back. ``fusion`` makes one kernel of the arithmetic of
a score, of ``symbols``. ``engine`` answers with them what is asked of an engine. CuPy has to be there; without it
arrays go through their own library.
"""
