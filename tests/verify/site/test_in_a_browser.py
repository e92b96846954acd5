"""The site in a headless Chromium, from files: every page, search, filters, graph, copying, escaping."""

import time
from pathlib import Path

import pytest

import theory

PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
KINDS = (
    "index.html",
    "papers/squant.html",
    "findings.html",
    "run.html",
    "claims/squant/var.html",
    "claims/cq_marina/finding-message-size.html",
    "compressors/StochasticQuantizer.html",
    "methods/marina.html",
)
LEFT = """
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const found = [];
while (walker.nextNode()) {
  const node = walker.currentNode;
  if (!node.parentElement.closest("code, pre, script") && /[$\\\\]/.test(node.data))
    found.push(node.data.slice(0, 80));
}
return [found, document.documentElement.scrollWidth];
"""


def phone(browser):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)


def shown(browser):
    """Return the ids of the claims that the table shows."""
    return browser.execute_script(
        "return [...document.querySelectorAll('#table tbody tr')].filter(row => row.checkVisibility())"
        ".map(row => row.dataset.id)"
    )


def test_every_page_opens_on_a_phone_without_an_error(visit, window, site):
    phone(window)
    wrong = []
    for path in sorted(site.rglob("*.html")):
        page = path.relative_to(site)
        if page.parts[0] == "source" and page.parts[-1] > "c":  # all are made by one template
            continue
        window.get(path.as_uri())
        left, width = window.execute_script(LEFT)
        deadline = time.monotonic() + 2  # on a busy machine a phone's layout may come after the page
        while width > PHONE["width"] and time.monotonic() < deadline:
            time.sleep(0.05)
            left, width = window.execute_script(LEFT)
        errors = [entry["message"] for entry in window.get_log("browser")]
        if left and page.parts[0] != "source":
            wrong.append(f"{page}: {left} is not rendered")
        if width > PHONE["width"]:
            wrong.append(f"{page}: {width} pixels wide")
        wrong += [f"{page}: {error}" for error in errors]
    assert not wrong


def test_long_formulas_do_not_widen_a_window(window, site):
    size = {"width": 1100, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    window.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    pages = [path for path in site.rglob("*.html") if 'class="wide long"' in path.read_text("utf-8")]
    assert pages
    wide = []
    for path in pages:
        window.get(path.as_uri())
        if window.execute_script(LEFT)[1] > size["width"]:
            wide.append(path.relative_to(site))
    assert wide == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_accessibility_checker_finds_nothing_serious(visit, scheme):
    axe = pytest.importorskip("axe_core_python.selenium").Axe()
    wrong = []
    for page in KINDS:
        window = visit(page)
        colours = [{"name": "prefers-color-scheme", "value": scheme}]
        window.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": colours})
        # Formulas are left out: thousands of elements with the colours of the text around them.
        options = {"resultTypes": ["violations"]}
        if scheme == "dark":  # only colours are different
            options["runOnly"] = ["color-contrast"]
        found = axe.run(window, {"exclude": [["math"]]}, options)
        assert found["testEngine"]["name"] == "axe-core"
        for problem in found["violations"]:
            if problem["impact"] in ("serious", "critical"):
                places = [node["target"] for node in problem["nodes"][:3]]
                wrong.append(f"{page}: {problem['id']}: {problem['help']}: {places}")
    assert not wrong


def test_search_finds_words_of_titles_and_statements(visit):
    window = visit("index.html")
    query = window.find_element("id", "query")
    query.send_keys("DIANA rate")
    found = shown(window)
    assert "squant/diana" in found
    assert 0 < len(found) < 40
    assert window.find_element("id", "found").text.startswith(f"{len(found)} of ")
    query.clear()
    query.send_keys("no such words")
    assert shown(window) == []
    window.find_element("id", "clear").click()
    assert shown(window) == [entry.id for entry in theory.entries()]


def test_a_filter_is_a_link_that_can_be_sent(visit):
    window = visit("index.html")
    link = window.find_element("css selector", "a[data-facet=kind][data-value=finding]")
    link.click()
    found = shown(window)
    assert found
    assert found == [entry.id for entry in theory.entries() if entry.kind == "finding"]
    assert link.get_attribute("aria-current") == "true"
    assert "kind=finding" in window.current_url
    place = window.current_url.partition("#")[2]
    assert shown(visit(f"index.html#{place}&paper=squant")) == [
        id for id in found if id.startswith("squant/")
    ]


def test_a_step_of_the_graph_opens_with_its_formula(visit):
    window = visit("claims/squant/var.html")
    panel = window.find_element("id", "step-panel")
    assert not panel.is_displayed()
    link = window.find_element("css selector", "svg.graph a.n-theorem")
    window.execute_script("arguments[0].focus()", link)
    assert window.find_elements("css selector", "svg.graph path.lit")
    window.execute_script(
        "arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))", link
    )
    assert panel.is_displayed()
    assert "Rests on" in panel.text
    assert panel.find_elements("css selector", "math")


def test_the_citation_is_copied(visit, window):
    visit("claims/squant/var.html")
    grant = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    window.execute_cdp_cmd("Browser.grantPermissions", grant)
    button = window.find_element("css selector", "[data-copy=cite-sentence]")
    button.click()
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(window, 30).until(lambda _: button.text == "Copied")
    copied = window.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    assert copied == window.find_element("id", "cite-sentence").text
    assert "squant/var" in copied


def test_keys_reach_everything(visit, window):
    from selenium.webdriver.common.keys import Keys

    visit("index.html")
    window.find_element("tag name", "body").send_keys(Keys.TAB)
    assert window.switch_to.active_element.get_attribute("class") == "skip"
    window.switch_to.active_element.send_keys("/")
    assert window.switch_to.active_element.get_attribute("id") == "query"


def test_a_link_to_a_record_opens_it(visit):
    window = visit("claims/squant/var.html")
    record = window.find_element("css selector", "details.record")
    assert record.get_attribute("open") is None
    window.find_element("css selector", f"a[href='#{record.get_attribute('id')}']").click()
    assert record.get_attribute("open") is not None
    assert "boundcheck replay squant/var@" in record.text


def test_html_of_other_people_does_not_run(visit, window, foreign_site: Path):
    names = ("index.html", "papers/mine.html", "findings.html", "run.html", "claims/mine/quarter.html")
    for path in (foreign_site / name for name in names):
        window.get(path.as_uri())
        assert window.title.endswith("boundcheck report")
        assert not window.find_elements("css selector", "img[src=x]")
    visit("claims/mine/quarter.html", foreign_site)
    assert "<script>" in window.find_element("tag name", "h1").text
    assert "<script>" in window.find_element("tag name", "figcaption").text
    assert window.get_log("browser") == []
