"""Measures of ranked lists. One sort (:class:`Ranked`) is enough for all of them."""
