"""Calling our own ES modules in the wheel's Node: bundled one by one, so that a broken neighbour breaks no other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from interview_book.book import node

_BUILD = """
import * as esbuild from "esbuild";
const { entry, outfile } = JSON.parse(process.argv[2]);
await esbuild.build({
  entryPoints: [entry], outfile, bundle: true, format: "esm", charset: "utf8", target: "es2022",
  jsx: "automatic", jsxImportSource: "preact",
});
"""


def evaluator(folder: Path, out: Path, root: Path) -> Callable[..., object]:
    """``call(module, expression, **values)``: evaluate JavaScript with a module of ``folder`` as ``m`` and the values.

    ``module`` is a file's stem, or its name with ``.jsx``. The expression may await; its result comes back through
    JSON, what JSON cannot hold (undefined, NaN) as None. For another time zone set ``process.env.TZ`` in it.
    """
    built: dict[str, str] = {}

    def bundled(module: str) -> str:
        if module not in built:
            source = folder / (module if "." in module else f"{module}.js")
            job = {"entry": source.as_posix(), "outfile": (out / f"{source.stem}.mjs").as_posix()}
            node.run_node(["--input-type=module", "-", json.dumps(job)], input=_BUILD, cwd=root)
            built[module] = (out / f"{source.stem}.mjs").as_uri()
        return built[module]

    def call(module: str, expression: str, **values: object) -> object:
        script = (
            f"import * as m from {json.dumps(bundled(module))};\n"
            # Parsed, not written as a literal: there a key __proto__ would be the prototype.
            f"const {{ {', '.join(values)} }} = JSON.parse({json.dumps(json.dumps(values))});\n"
            f"process.stdout.write(JSON.stringify(await ({expression})) ?? 'null');"
        )
        return json.loads(node.run_node(["--input-type=module", "-"], input=script).stdout)

    return call
