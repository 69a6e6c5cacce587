"""JupyterLab and Notebook 7 on a folder of plain notebooks, and a browser to drive them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
import urllib.request
from contextlib import contextmanager

import pytest

from interview_book.book import lab


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="session")
def serve(tmp_path_factory):
    """Return a context manager: serve the notebooks of ``root`` as `make lab` does; it gives the address."""

    @contextmanager
    def run(root, tag, application):
        home, port = tmp_path_factory.mktemp("home"), _free_port()
        line, environment = lab.command(root, tag, application)
        line += [f"--ServerApp.port={port}", "--ServerApp.ip=127.0.0.1", "--no-browser", "--allow-root"]
        line += ["--IdentityProvider.token=", "--ServerApp.password="]
        environment |= {"HOME": str(home), "JUPYTER_CONFIG_DIR": str(home), "JUPYTER_DATA_DIR": str(home / "data")}
        log = (home / "log").open("w+", encoding="utf-8")
        process = subprocess.Popen(line, env=environment, stdout=log, stderr=log, start_new_session=True)
        try:
            deadline = time.monotonic() + 60
            while True:
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/api", timeout=5).close()
                    break
                except OSError:
                    log.seek(0)
                    assert time.monotonic() < deadline and process.poll() is None, log.read()
                    time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            os.killpg(process.pid, signal.SIGINT)
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            log.close()

    return run


# One a module, not one a session: while Playwright runs, no other test of the session could start an event loop.
@pytest.fixture(scope="module")
def browser(chromium, chromium_flags):
    """One Chromium for all tests of this folder."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=chromium_flags)
        yield running
        running.close()


@pytest.fixture
def page(browser):
    """A fresh page that notes what goes wrong in ``page.wrong``: console errors, exceptions, foreign requests."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US")
    one = context.new_page()
    one.wrong = []

    def route(call):
        if "127.0.0.1" in call.request.url or call.request.url.startswith(("data:", "blob:")):
            call.continue_()
        else:
            one.wrong.append(f"request {call.request.url}")
            call.abort()

    context.route("**/*", route)
    one.on("console", lambda said: one.wrong.append(f"console {said.text}") if said.type == "error" else None)
    one.on("pageerror", lambda error: one.wrong.append(f"exception {error}"))
    one.set_default_timeout(30_000)
    yield one
    context.close()


@pytest.fixture
def run_all(page):
    """``run_all(address)``: run all cells of the notebook in ``page``, once it is connected to its kernel."""

    def run(address):
        page.locator(".jp-Notebook .jp-CodeCell").first.wait_for()
        deadline = time.monotonic() + 60
        while "idle" not in [
            one["kernel"]["execution_state"] for one in page.request.get(f"{address}/api/sessions").json()
        ]:
            assert time.monotonic() < deadline
            page.wait_for_timeout(100)
        page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').first.wait_for()
        # By its place in the menu, whatever the language.
        page.locator(".lm-MenuBar-item").nth(3).click()
        page.locator('[data-command="runmenu:run-all"]').click()

    return run
