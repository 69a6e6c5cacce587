"""Proofs and measurements: what the book claims, checked.

* :func:`state` prints a value that the prose quotes.
* :class:`Derivation` is a chain of lines, each proved to follow from the one before, :class:`Bound` one that ends in an
  inequality; :class:`Law` is the algebra of expectations they use. :func:`results_for` finds what is proved, and what
  is only measured, for a claim.
* :func:`measure_scores` draws scores and returns their :class:`Moments`; :func:`variance_estimate` and
  :func:`proportion` turn them into an :class:`Estimate` with its interval; :func:`summarise_rows` measures rows of
  weights.
* :func:`report` and :func:`observed_report` measure heads, :func:`diagnose` says what could be looked at,
  :func:`causal_leaks` and :func:`padding_leaks` test an attention function for what it must not see.
"""

from importlib import import_module

# Imported on first use: SymPy alone takes half a second.
_HOME = {
    "Bound": "bounds",
    "ChunkError": "streaming",
    "Components": "components",
    "Cov": "expectations",
    "Derivation": "derivations",
    "DerivationError": "derivations",
    "E": "expectations",
    "Estimate": "estimates",
    "Finding": "findings",
    "Law": "expectations",
    "LeakReport": "leaks",
    "Measurement": "row_measurements",
    "MomentError": "laws",
    "Moments": "moments",
    "Proportion": "estimates",
    "Quantile": "quantiles",
    "Report": "diagnostics",
    "Result": "theory_results",
    "RowMeans": "normal_rows",
    "Step": "derivations",
    "Var": "expectations",
    "best_gap": "two_positions",
    "causal_leaks": "leaks",
    "crossover": "two_positions",
    "diagnose": "findings",
    "differ": "estimates",
    "expected_maximum_of": "normal_rows",
    "gap_tail": "gaps",
    "largest_weight": "context_length",
    "lead_for": "context_length",
    "mask_leaks": "leaks",
    "mean_estimate": "estimates",
    "measure_scores": "montecarlo",
    "multiplications": "counting",
    "normal_row": "normal_rows",
    "normal_score_rows": "row_statistics",
    "normal_tail": "gaps",
    "normal_variance_estimate": "chi_square",
    "observed_report": "diagnostics",
    "padding_leaks": "leaks",
    "product_row": "normal_rows",
    "proportion": "estimates",
    "quantile": "quantiles",
    "raw_gradient": "two_positions",
    "raw_scores": "samplers",
    "report": "diagnostics",
    "results_for": "theory_results",
    "run_chunks": "streaming",
    "score_gaps": "montecarlo",
    "score_rows": "row_statistics",
    "score_theory": "components",
    "state": "statements",
    "summarise_rows": "row_statistics",
    "variance_error": "estimates",
    "variance_estimate": "estimates",
    "weight_at": "context_length",
}

__all__ = [*_HOME]


def __getattr__(name: str):
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(sorted(_HOME))}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
