"""A browser without a window, for pages that must not load anything."""

import json
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))


@pytest.fixture(scope="session")
def browser():
    """Debian's Chromium; what needs it is skipped where it or selenium is missing."""
    webdriver = pytest.importorskip(
        "selenium.webdriver", reason="selenium is missing: see plots/tests/browser/README.md"
    )
    from selenium.webdriver.chrome.service import Service

    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (chromium and driver):
        pytest.skip("chromium or chromedriver is missing: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,900"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    window = webdriver.Chrome(options=options, service=Service(driver))
    yield window
    window.quit()


@pytest.fixture
def opened(browser):
    """Opens a page; after the test nothing was logged and nothing but the page was asked for."""
    pages = []

    def open_page(path, width=1280, height=900, scheme="light"):
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        )
        pages.append(path.as_uri())
        browser.get(path.as_uri())
        browser.execute_async_script("(window.report.ready ?? Promise.resolve()).then(arguments[0])")
        return browser

    yield open_page
    assert [entry["message"] for entry in browser.get_log("browser")] == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    outside = [url for url in asked if url not in pages and not url.startswith(("data:", "blob:"))]
    assert asked and outside == []
