"""CUDA: kernels for labels, tables and distances on an NVIDIA GPU, for arrays of any library.

``sources`` has the kernels. ``limits`` and ``joint`` read labels and count them; ``keys`` and ``runs`` count them by a
sort. ``margins``, ``pairs``, ``information`` and ``expected`` compute what scores read of a table, and ``distances``
what internal measures read of all distances. ``kernels`` says which arrays they can read, compiles them, and chooses
between those that count. ``tabulate`` and ``statistics`` launch them on CuPy arrays. ``arithmetic`` turns that of
formulas into few kernels, and ``engine`` is the engine that uses the kernels. CuPy must be installed; without it,
arrays are processed by their own library.
"""
