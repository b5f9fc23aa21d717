"""Reports of hostile labels, and what must hold for them.

``PYTHONPATH=tests python tests/reporting/hostile_pages.py 10000`` tries as many sets of labels.
"""

import random
import sys
from concurrent.futures import ProcessPoolExecutor

import pandas as pd
from hostile_text import HIDDEN, label_sets
from report_pages import Page

import gpuval
from gpuval.reporting.sentences import name_text

SETS_OF_A_PAGE = 10


def pages_of(seed, n_sets):
    """The sets of labels of each page."""
    sets = label_sets(seed, n_sets)
    return [sets[start : start + SETS_OF_A_PAGE] for start in range(0, n_sets, SETS_OF_A_PAGE)]


def check_page(sets, seed=0):
    """Make a report whose labels, names and values are these, and check what is in it."""
    source = random.Random(seed)
    texts = list(dict.fromkeys(x for labels in sets for x in labels))
    true = pd.Series(texts * 3, name=source.choice(texts), dtype=object)  # ``str`` of pandas 3 holds Unicode only
    by = pd.Series([texts[i % 3] for i in range(len(true))], name=source.choice(texts), dtype=object)
    labelings = {name: source.choices(texts, k=len(true)) for name in source.sample(texts, 4)}
    options = {"title": source.choice(texts), "about": {source.choice(texts): source.choice(texts)}}
    found = gpuval.report(true, labelings, by=by, metrics=["ari", "ami"], n_resamples=9, **options)
    page = Page(found.html)
    for text in page.texts:
        assert not HIDDEN.search(text.replace("\n", "")), ascii(text)
    for text in repr(found).split("\n"):
        assert not HIDDEN.search(text), ascii(text)
    in_tables = {cell.strip() for table in page.tables for row in table for cell in row[:1]}
    for text in (*texts, *labelings):
        assert name_text(text).strip() in in_tables, ascii(text)


def main():
    """Check so many sets of another seed, on all cores, and say how many were."""
    n_sets = int(sys.argv[1])
    pages = pages_of(1, n_sets)
    with ProcessPoolExecutor() as pool:
        n_pages = sum(1 for _ in pool.map(check_page, pages, range(len(pages)), chunksize=5))
    print(f"{n_sets} sets of labels in {n_pages} pages")


if __name__ == "__main__":
    main()
