"""The server of the built site: right types, error pages, no surprises."""

import http.client
import socket
import statistics
import subprocess
import sys
import threading
import time

import pytest

from interview_book.book import serve
from interview_book.book.errors import BookError

TYPES = {
    "a.html": "text/html; charset=utf-8",
    "a.js": "text/javascript; charset=utf-8",
    "a.css": "text/css; charset=utf-8",
    "a.svg": "image/svg+xml",
    "a.woff2": "font/woff2",
    "a.wasm": "application/wasm",
    "a.ipynb": "application/x-ipynb+json",
    "a.json": "application/json",
    "wasm.unknown.pagefind": "application/octet-stream",
    "ja.pf_meta": "application/octet-stream",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    (folder / "ja" / "chapters").mkdir(parents=True)
    (folder / "zh-Hant").mkdir()
    for name in ("index.html", "404.html", "ja/404.html", "zh-Hant/404.html", ".fingerprint", "ja/用語.html"):
        (folder / name).write_text(f"page {name}", encoding="utf-8")
    for name in TYPES:
        (folder / "ja" / "chapters" / name).write_bytes(name.encode())
    return folder


@pytest.fixture(scope="module")
def ask(site):
    with serve.server(site, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def get(path, method="GET", **headers):
            connection = http.client.HTTPConnection(serve.HOST, server.server_address[1], timeout=10)
            connection.request(method, path, headers={name.replace("_", "-"): text for name, text in headers.items()})
            answer = connection.getresponse()
            body = answer.read()
            connection.close()
            return answer, body

        yield get
        server.shutdown()


@pytest.mark.parametrize(("name", "kind"), TYPES.items())
def test_every_file_has_its_type(ask, name, kind):
    answer, body = ask(f"/ja/chapters/{name}")
    assert (answer.status, answer.getheader("Content-Type"), body) == (200, kind, name.encode())


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/nothing.html", "404.html"),
        ("/ja/nothing.html", "ja/404.html"),
        ("/ja/chapters/deep/er/nothing.html?q=1", "ja/404.html"),
        ("/zh-Hant/nothing", "zh-Hant/404.html"),
        ("/ja/chapters/", "ja/404.html"),  # a folder is not listed
        ("/.fingerprint", "404.html"),
        ("/ja/../.fingerprint", "ja/404.html"),
        ("/%2efingerprint", "404.html"),
        ("/../../etc/passwd", "404.html"),
    ],
)
def test_what_is_not_there_is_answered_in_the_edition_s_language(ask, path, page):
    answer, body = ask(path)
    assert (answer.status, body.decode()) == (404, f"page {page}")
    assert answer.getheader("Content-Type") == TYPES["a.html"]


def test_a_name_in_kana_is_found(ask):
    answer, body = ask("/ja/%E7%94%A8%E8%AA%9E.html")
    assert (answer.status, body.decode()) == (200, "page ja/用語.html")


def test_a_head_request_has_no_body(ask):
    answer, body = ask("/ja/nothing", method="HEAD")
    assert (answer.status, body) == (404, b"")
    assert int(answer.getheader("Content-Length")) == len("page ja/404.html")


def test_a_rebuilt_file_is_seen_at_once_and_an_unchanged_one_not_sent_again(ask):
    answer, _ = ask("/index.html")
    assert answer.getheader("Cache-Control") == "no-cache"
    again, body = ask("/index.html", If_Modified_Since=answer.getheader("Last-Modified"))
    assert (again.status, body) == (304, b"")


def test_a_taken_port_is_one_sentence_that_says_what_to_do(site):
    with serve.server(site, 0) as server:
        port = server.server_address[1]
        with pytest.raises(BookError, match=rf"^port {port} is taken: choose another one with PORT=") as told:
            serve.server(site, port)
    assert "\n" not in str(told.value)


def test_a_taken_port_is_told_before_a_build(site, tmp_path):
    with serve.server(site, 0) as server:
        port = server.server_address[1]
        with pytest.raises(BookError, match=f"^port {port} is taken"):
            serve.require_free(port)
        command = [sys.executable, "-m", "interview_book.cli", "--root", str(tmp_path), "serve", "--build"]
        command += ["--port", str(port)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")
    assert done.returncode == 1
    assert done.stderr.startswith(f"port {port} is taken")
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["abc", "", "-1", "8000.0", "８０００", "123456"])
def test_a_word_is_no_port(text):
    with pytest.raises(BookError, match=f"^PORT={text} is no port: expected 1 to 65535"):
        serve.port_of(text)
    assert serve.port_of("8123") == 8123


@pytest.mark.parametrize("port", [-1, 65536])
def test_what_is_no_port(site, port):
    with pytest.raises(BookError, match=rf"PORT={port} is no port"):
        serve.server(site, port)


def test_no_site(tmp_path):
    with pytest.raises(BookError, match=r"no site to serve: expected .*index\.html"):
        serve.server(tmp_path, 0)


def test_the_address_is_printed(site, capsys, monkeypatch):
    monkeypatch.setattr(serve._Server, "serve_forever", lambda self: None)
    serve.listen(site, 0)
    assert capsys.readouterr().out.startswith(f"http://{serve.HOST}:")


def test_an_address_with_a_nul_and_a_bad_request_line_are_answered(site):
    with serve.server(site, 0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        host, port = server.server_address
        connection = http.client.HTTPConnection(host, port, timeout=10)
        connection.request("GET", "/ja/%00")
        assert connection.getresponse().status == 404
        connection.close()
        with socket.create_connection((host, port), timeout=10) as raw:
            raw.sendall(b"GARBAGE\r\n\r\n")
            assert b"400" in raw.recv(4096)
        server.shutdown()
        thread.join()


def test_a_kept_connection_does_not_wait_for_acknowledgements(site):
    with serve.server(site, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        connection = http.client.HTTPConnection(serve.HOST, server.server_address[1], timeout=10)
        took = []
        for _ in range(31):
            start = time.perf_counter()
            connection.request("GET", "/ja/chapters/a.js")
            connection.getresponse().read()
            took.append(time.perf_counter() - start)
        connection.close()
        server.shutdown()
    # Linux acknowledges late after 40 ms; a file of four bytes takes about one.
    assert statistics.median(took) < 0.02
