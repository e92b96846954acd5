"""Sites made from a few records, and a browser to look at them."""

import fcntl
import os
import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from verify.running import runner
from verify.site.build import build_site

JUDGED = ("squant/var", "cat/sq-range", "cq_marina/finding-message-size", "ndqsg/levels-tradeoff")
"""Claims with records: a proof, cited facts, a finding, measured values."""

EVIL = '<script>document.title = "run"</script><img src=x onerror="document.title = 1">'


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory, worker_id):
    """Return a folder that the workers of a test run share."""
    base = tmp_path_factory.getbasetemp()
    return base if worker_id == "master" else base.parent


@pytest.fixture(scope="session")
def made_once(shared_folder):
    """Return a function that lets the first worker fill a folder, and the others take what it made."""

    def take(name, make):
        place = shared_folder / name
        with (shared_folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not place.exists():
                scratch = shared_folder / f"{name}.part"
                make(scratch)
                scratch.rename(place)
        return place

    return take


@pytest.fixture(scope="session")
def records(made_once):
    """Return a folder with the records of a few claims: nobody writes into it."""
    return made_once("site-records", lambda folder: runner.verify(JUDGED, out=folder))


@pytest.fixture(scope="session")
def site(made_once, records):
    """Return the site of all claims, of which a few have records, with one figure."""

    def make(folder):
        figures = folder.parent / "site-figures"
        write_figure(figures / "squant" / "variance.png", "Variance of $x_j$; see `squant/var`.")
        build_site(out=folder, records=records, figures=figures)

    return made_once("site", make)


@pytest.fixture(scope="session")
def foreign_site(made_once):
    """Return the site of a paper of other people, in whose title and caption there is HTML."""

    def make(folder):
        work = folder.parent / "foreign-paper"
        work.mkdir()
        boundcheck(work, "new", "paper", "mine")
        claim = work / "mine" / "theory" / "quarter.py"
        text = claim.read_text()
        title = next(line for line in text.splitlines() if line.strip().startswith("title="))
        claim.write_text(text.replace(title, f"    title={EVIL!r},", 1))
        write_figure(work / "figures" / "mine" / "quarter.png", f"{EVIL} see `mine/quarter`")
        options = ("--claims", "mine")
        boundcheck(work, "pin", "mine/*", *options)
        boundcheck(work, "verify", "mine/*", *options)
        boundcheck(work, "report", "mine/*", *options, "--figures", "figures", "--out", str(folder))

    return made_once("foreign-site", make)


def boundcheck(folder, *arguments):
    environment = {name: value for name, value in os.environ.items() if name != "BOUNDCHECK_CLAIMS"}
    command = [sys.executable, "-m", "boundcheck", *arguments]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)


def write_figure(path, caption):
    """Write a white PNG of 4 times 4 pixels with caption and table beside it."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    path.parent.mkdir(parents=True, exist_ok=True)
    head = struct.pack(">IIBBBBB", 4, 4, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"\0\xff\xff\xff\xff" * 4)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )
    path.with_suffix(".txt").write_text(caption)
    path.with_suffix(".csv").write_text("x,y\n1,2\n")


@pytest.fixture(scope="session")
def browser():
    """Drive a headless Chromium: that which CHROME names, or the one on the path."""
    webdriver = pytest.importorskip("selenium.webdriver")
    program = os.environ.get("CHROME") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    driver = shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("no Chromium with chromedriver is installed, and CHROME names none")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    chrome.set_page_load_timeout(100)
    chrome.set_script_timeout(100)
    yield chrome
    chrome.quit()


@pytest.fixture
def window(browser):
    """Return the browser with a wide window and light colours; a test may change both."""
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    browser.set_window_size(1280, 900)
    browser.get_log("browser")
    return browser


@pytest.fixture
def visit(window, site):
    """Return a function that opens a page of the site in the browser."""

    def open_page(page, folder: Path = site):
        window.get("about:blank")  # so that another place in the same page is loaded again, too
        name, _, place = page.partition("#")
        window.get((folder / name).as_uri() + (f"#{place}" if place else ""))
        return window

    return open_page
