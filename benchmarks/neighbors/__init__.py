"""Measures of neighbours and of integration beside other libraries: their values, and how long they take."""
