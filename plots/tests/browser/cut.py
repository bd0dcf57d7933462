"""Texts of pictures that are cut."""

SCRIPT = """
return [...document.querySelectorAll("svg text")].filter((text) => {
  const [own, all] = [text.getBoundingClientRect(), text.closest("svg").getBoundingClientRect()]
  return own.width && (own.left < all.left - 1 || own.right > all.right + 1)
}).map((text) => text.textContent)
"""


def cut_texts(browser):
    """The texts that reach beyond the left or the right of their picture."""
    return browser.execute_script(SCRIPT)
