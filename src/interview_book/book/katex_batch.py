"""Many inline formulas at once: one Node process that sets each with KaTeX, for visual eyes and as MathML."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from interview_book.book import frontend, node

_SCRIPT = """
const katex = require(process.argv[1]);
let text = "";
process.stdin.on("data", part => (text += part)).on("end", () => {
  const options = { output: "htmlAndMathml", throwOnError: true, strict: false, trust: false };
  const set = JSON.parse(text).map(tex => {
    try {
      return { html: katex.renderToString(tex, options) };
    } catch (error) {
      return { why: String(error.message).replace(/^KaTeX parse error: /, "") };
    }
  });
  process.stdout.write(JSON.stringify(set));
});
"""


def set_inline(root: Path, formulas: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the HTML of each distinct formula by its TeX, and KaTeX's own words about those it cannot set.

    Raises
    ------
    BookError
        When Node or KaTeX is not installed.
    """
    distinct = list(dict.fromkeys(formulas))
    if not distinct:
        return {}, {}
    script = (frontend.katex(root) / "katex.js").resolve()
    made = json.loads(node.run_node(["-e", _SCRIPT, script], input=json.dumps(distinct)).stdout)
    set_ = {tex: one["html"] for tex, one in zip(distinct, made, strict=True) if "html" in one}
    bad = {tex: " ".join(one["why"].split()) for tex, one in zip(distinct, made, strict=True) if "why" in one}
    return set_, bad
