"""Take the README's picture from the built site: both editions of the chapter side by side. ``make screenshot``."""

from __future__ import annotations

import importlib.util
import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

HERE = Path(__file__).resolve().parent
SITE = HERE.parents[1] / "_build" / "site"
OUT = HERE / "readme.png"
WIDTH, HEIGHT, GAP = 760, 940, 24
MOST = 300_000  # bytes; a README is read over slow lines as well
SHOWN = [("ja/chapters/index.html", ""), ("zh-Hant/chapters/two-scores.html", "lab")]


def _chromium() -> str:
    spec = importlib.util.spec_from_file_location("find_chromium", HERE / "chromium.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.find() or sys.exit(f"no Chromium: run {sys.executable} tests/browser/chromium.py")


def shots(site: Path) -> list[Image.Image]:
    """Return one picture a page, in light, as a reader sees it."""
    taken = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium(), args=["--no-sandbox", "--disable-gpu"])
        for path, place in SHOWN:
            size = {"width": WIDTH, "height": HEIGHT}
            page = browser.new_context(viewport=size, color_scheme="light", reduced_motion="reduce").new_page()
            page.goto((site / path).as_uri(), wait_until="load")
            page.evaluate("document.fonts.ready")
            if place:
                page.evaluate("id => document.getElementById(id).scrollIntoView({ behavior: 'instant' })", place)
            taken.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
        browser.close()
    return taken


def joined(pictures: list[Image.Image]) -> Image.Image:
    """Return the pictures side by side with a gap between them."""
    whole = Image.new("RGB", (len(pictures) * (WIDTH + GAP) - GAP, HEIGHT), "white")
    for i, picture in enumerate(pictures):
        whole.paste(picture, (i * (WIDTH + GAP), 0))
    return whole


def main() -> None:
    site = Path(sys.argv[1]) if len(sys.argv) > 1 else SITE
    if not (site / "index.html").is_file():
        sys.exit(f"no site: expected {site / 'index.html'}, found nothing. Run `make site` first.")
    joined(shots(site)).save(OUT, optimize=True)
    size = OUT.stat().st_size
    if size > MOST:
        sys.exit(f"{OUT.name} has {size:,} bytes: expected at most {MOST:,}. Show less, or fewer colours.")
    print(f"{OUT.relative_to(HERE.parents[1])}: {size:,} bytes")


if __name__ == "__main__":
    main()
