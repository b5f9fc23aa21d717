"""CUDA: kernels for labels, tables and distances on an NVIDIA GPU, for arrays of any library.

``sources`` has the kernels. ``limits`` and ``joint`` read labels and count them; ``keys`` and ``runs`` count them by a
sort. ``margins``, ``pairs``, ``information`` and ``expected`` compute what scores read of a table, and ``distances``
what internal measures read of all distances. ``kernels`` compiles them. ``plan`` chooses between the kernels that
count. ``tabulate``, ``table``, ``expected`` and ``distances`` launch them on CuPy arrays. ``fusion`` turns the
arithmetic of scores into one kernel, by means of ``symbols``. ``arrays`` says which arrays the kernels can read, and
``engine`` is the engine that uses the kernels. CuPy must be installed; without it, arrays are processed by their own
library.
"""
