"""Find a Chromium or Chrome for the tests, or get one. Run as a script it prints the path, or what would help."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def find() -> str | None:
    """Return the path of an installed browser: $CHROMIUM, the system's, or the one Playwright keeps."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    for name in NAMES:
        if path := shutil.which(name):
            return path
    if MAC.exists():
        return str(MAC)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if path and Path(path).exists() else None


def get() -> str | None:
    """Return a browser's path, installing one by the system's package manager or by Playwright where there is none."""
    if path := find():
        return path
    if os.environ.get("CHROMIUM"):
        return None  # a browser that was asked for by name is not replaced by another
    attempts = []
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        attempts += [["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "chromium", "fonts-noto-cjk"]]
    attempts.append([sys.executable, "-m", "playwright", "install", "chromium"])
    for command in attempts:
        print("no Chromium found; trying:", " ".join(command), file=sys.stderr)
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
        if path := find():
            return path
    return None


if __name__ == "__main__":
    browser = get()
    if browser is None:
        sys.exit(
            "The tests need Chromium or Chrome and could not get one. Run: sudo apt-get install chromium fonts-noto-cjk"
        )
    print(f"browser: {browser}")
