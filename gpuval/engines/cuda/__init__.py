"""CUDA: kernels for labels, tables and distances on an NVIDIA GPU, of arrays of any library.

``sources`` has the kernels: ``limits`` and ``joint`` read labels and count them, ``keys`` and ``runs`` count them by a
sort; ``margins``, ``pairs``, ``information`` and ``expected`` are what scores read of a table, ``distances`` what
internal measures read of all distances. ``kernels`` compiles them, and ``plan`` chooses between those that count;
``tabulate``, ``table``, ``expected`` and ``distances`` launch them, on arrays of CuPy. ``fusion`` makes one kernel of
the arithmetic of scores, of ``symbols``. ``arrays`` says what the kernels can read, and ``engine`` answers with them
what is asked of an engine. CuPy has to be there; without it arrays go through their own library.
"""
