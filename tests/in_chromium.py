"""Chromium for tests of pages: how it is started, and what axe finds in a page."""

import os
import shutil
from contextlib import contextmanager

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-component-update"]
FLAGS += ["--disable-background-networking", "--disable-sync"]
SEEN = ("serious", "critical")
"""What axe calls faults that keep somebody from using a page."""


@contextmanager
def started():
    """A browser without a window."""
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None, "Chromium must be installed, or CHROMIUM say where it is"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def watched(browser, address_of, may_load, kinds=None):
    """Opens pages by ``address_of`` a name, and fails at the end for complaints, and for what pages ask of others.

    ``kinds`` are the messages of the console that are complaints, by default all. ``may_load`` takes an address, and
    that of the page which asks for it.
    """
    faults, contexts = [], []

    def open_page(name, **options):
        url = address_of(name)
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.on("console", lambda seen: faults.extend([seen.text] * (kinds is None or seen.type in kinds)))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append(dialog.message))
        page.on("request", lambda request: faults.extend([request.url] * (not may_load(request.url, url))))
        page.goto(url)
        return page

    open_page.faults = faults
    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def faults_of_axe(page, **options):
    """The faults that axe finds in a page, with these options of axe: their names, how bad they are, and where."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    return [(x["id"], x["impact"], [node["target"] for node in x["nodes"]][:3]) for x in found if x["impact"] in SEEN]
