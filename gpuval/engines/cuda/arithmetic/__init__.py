"""The arithmetic of formulas in few kernels: of numbers of a table, and of arrays of CuPy.

``fusion`` makes one kernel of the arithmetic of scores, which it records with symbols of numbers. ``lazy`` has arrays
whose arithmetic waits until it is read, ``namespace`` what formulas do with them, and ``texts`` the kernels that find
what waits.
"""
