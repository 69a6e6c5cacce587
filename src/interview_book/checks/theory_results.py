"""What is proved and what is measured: every result about scores and softmax, with its status and sources.

A chapter prints from :data:`RESULTS` which is which; :func:`results_for` finds what stands behind a claim.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from interview_book.checks import (
    alternatives,
    context_length,
    cosine_law,
    dependence,
    divisors,
    entropy_theory,
    gaps,
    initialisation,
    jacobian_bounds,
    lookup_gradients,
    lookup_order,
    lookup_steps,
    normal_limits,
    row_measurements,
    sampling,
    saturation,
    score_gradients,
    score_shape,
    score_spread,
    softmax_theory,
    two_positions,
)
from interview_book.checks.bounds import Bound
from interview_book.checks.derivations import Derivation
from interview_book.checks.row_measurements import Measurement


@dataclass(frozen=True)
class Result:
    """``make`` builds what is shown: a chain or an inequality if ``status`` is "proved", else a measurement.

    ``assumes`` names what a proof rests on beyond algebra (a key, like the reasons of steps), or is empty.
    ``sources`` are ids of claims and sections ``theory-3.4`` of the theory notes.
    """

    name: str
    status: Literal["proved", "measured"]
    sources: tuple[str, ...]
    make: Callable[[], Derivation | Bound | Measurement]
    assumes: str = ""


def _table(status: Literal["proved", "measured"], *rows: tuple) -> list[Result]:
    found = []
    for make, sources, *assumes in rows:
        name = f"{make.__module__.rsplit('.', 1)[1]}.{make.__name__}"
        found.append(Result(name, status, tuple(sources.split()), make, *assumes))
    return found


_PROVED = _table(
    "proved",
    # scores
    (score_spread.product_mean, "product-mean-zero"),
    (score_spread.product_second_moment, "product-second-moment-one"),
    (score_spread.product_covariance, "different-products-uncorrelated"),
    (score_spread.score_mean, "score-is-sum-of-products"),
    (score_spread.score_variance, "score-variance-is-dk result-exact-under-assumption"),
    (score_spread.score_variance_components, "theory-3.1"),
    (score_shape.score_deviation, "score-std-is-sqrt-dk"),
    (score_shape.score_third_moment, "theory-3.6"),
    (score_shape.score_skewness, "theory-3.6"),
    (score_shape.score_fourth_moment, "theory-3.6"),
    (score_shape.score_kurtosis, "theory-3.6"),
    (divisors.scaled_variance, "variance-scaling-law"),
    (divisors.unit_variance, "sqrt-divisor-gives-unit-variance"),
    (divisors.unit_variance_divisor, "why-a-square-root-question sqrt-divisor-gives-unit-variance"),
    (divisors.variance_divided_by_dk, "dividing-by-dk-gives-variance-inverse-dk"),
    (divisors.fixed_constant, "fixed-constant-suits-one-scale fixed-constant-does-not-track-head-width"),
    (divisors.component_deviations, "theory-3.1 divisor-controls-variance-under-typical-scale-assumption"),
    (divisors.unit_deviations, "theory-3.1"),
    (dependence.score_variance_covariances, "theory-3.1"),
    (dependence.score_variance_entries, "theory-3.1"),
    (dependence.shared_magnitude_covariance, "theory-3.1"),
    (dependence.shared_magnitude, "theory-3.1"),
    (dependence.correlated_mean, "theory-3.2 no-guarantee-for-trained-correlated-qk"),
    (dependence.correlated_variance, "theory-3.2 no-guarantee-for-trained-correlated-qk", "joint-normal"),
    (dependence.correlated_mean_trace, "theory-3.2"),
    (dependence.correlated_variance_trace, "theory-3.2", "joint-normal"),
    (dependence.correlated_variance_entries, "theory-3.2", "joint-normal"),
    (initialisation.initialisation_variance, "theory-3.3"),
    (initialisation.row_gap_variance, "theory-3.3"),
    (initialisation.key_gap_variance, "theory-3.3"),
    (initialisation.scaled_gap_variance, "theory-3.3"),
    (initialisation.shared_query_covariance, "theory-3.3"),
    (initialisation.shared_query_squares, "theory-3.6"),
    (initialisation.conditional_variance, "theory-3.3"),
    (initialisation.gap_mean, "theory-3.3", "normal-gap"),
    (initialisation.gap_mean_given_query, "theory-3.3"),
    (initialisation.query_norm_mean, "theory-3.3", "chi-density"),
    (initialisation.rotary_variance, "theory-3.3"),
    (initialisation.rotary_mean, "theory-3.3"),
    (sampling.sample_variance_mean, "theory-3.6 verify-finite-sample-error-expected"),
    (sampling.sample_variance_variance, "theory-3.6 verify-finite-sample-error-expected"),
    (sampling.sample_variance_error, "theory-3.6 verify-finite-sample-error-expected"),
    (sampling.matrix_mean_square, "theory-3.6"),
    # softmax
    (softmax_theory.weights_add_up, "rowwise-softmax-sums-to-one softmax-definition"),
    (softmax_theory.shift, "common-shift-has-no-effect stable-softmax-leaves-differences-unchanged"),
    (softmax_theory.ratio, "weights-depend-on-score-differences"),
    (softmax_theory.order_kept, "example-order-preserved"),
    (softmax_theory.jacobian_entry, "softmax-derivative kronecker-delta-meaning"),
    (softmax_theory.jacobian_of, "softmax-derivative"),
    (softmax_theory.jacobian_rows, "theory-3.4"),
    (softmax_theory.quadratic_form, "theory-3.4"),
    (softmax_theory.jacobian_trace, "theory-3.4"),
    (softmax_theory.frobenius_row, "theory-3.4"),
    (softmax_theory.frobenius_square, "theory-3.4"),
    (softmax_theory.uniform_norm, "theory-3.4"),
    (softmax_theory.uniform_entry, "theory-3.4"),
    (score_gradients.raw_scores_gradient, "theory-3.5 gradient-raw-carries-1-over-c"),
    (score_gradients.beta_gradient, "theory-3.5 learnable-temperature-tunes-sharpness"),
    (jacobian_bounds.leader_bound, "theory-3.4 large-gap-concentrates-weight"),
    (jacobian_bounds.trace_bound, "theory-3.4 saturation-makes-derivatives-small"),
    (jacobian_bounds.frobenius_below_trace, "theory-3.4 saturation-makes-derivatives-small"),
    (jacobian_bounds.spectral_bound, "theory-3.4"),
    (jacobian_bounds.half_bound, "theory-3.4"),
    (jacobian_bounds.two_positions_bound, "theory-3.4"),
    # two positions
    (two_positions.jacobian, "theory-3.4 softmax-derivative softmax-jacobian"),
    (two_positions.jacobian_norm, "theory-3.4"),
    (two_positions.slope_of_jacobian, "theory-3.4 jacobian-larger-when-divided-two-scores"),
    (two_positions.gradient, "theory-3.5 gradient-raw-carries-1-over-c"),
    (two_positions.gradient_of_gap, "theory-3.5"),
    (two_positions.crossover_equation, "theory-3.5 gradient-crossover-two-scores"),
    (two_positions.best_divisor_equation, "theory-3.5"),
    (gaps.product_given_query, "score-gap-tail-dk4"),
    (gaps.sum_of_four, "score-gap-tail-dk4"),
    (gaps.density_transform, "score-gap-tail-dk4"),
    (gaps.gap_tail_derivation, "score-gap-tail-dk4"),
    # saturation
    (saturation.missing_weight, "theory-3.4 large-gap-concentrates-weight"),
    (saturation.leader_entry, "theory-3.4"),
    (saturation.leader_row, "theory-3.4"),
    (saturation.runner_diagonal, "theory-3.4"),
    (saturation.runners_entry, "theory-3.4"),
    (saturation.vanishing_entropy, "theory-3.4"),
    (saturation.two_position_rate, "theory-3.4 saturation-makes-derivatives-small"),
    (saturation.unique_maximum, "theory-3.4 large-scale-can-shrink-softmax-jacobian"),
    (saturation.hard_maximum, "theory-3.8"),
    (saturation.tie_at_the_top, "theory-3.4"),
    (saturation.tie_of_many, "theory-3.4"),
    (saturation.tied_entry_grows, "theory-3.4 jacobian-larger-when-divided-two-scores"),
    (saturation.power_sharpens, "theory-3.8"),
    # entropy
    (entropy_theory.entropy_form, "entropy-definition"),
    (entropy_theory.uniform_entropy, "entropy-describes-spread-of-weights entropy-compare-at-equal-valid-key-count"),
    (entropy_theory.mean_score, "theory-3.7"),
    (entropy_theory.variance_of_scores, "theory-3.7"),
    (entropy_theory.entropy_slope, "theory-3.7 learnable-temperature-tunes-sharpness"),
    (entropy_theory.entropy_falls, "theory-3.7 learnable-temperature-tunes-sharpness"),
    (entropy_theory.divergence, "theory-3.7"),
    (entropy_theory.divergence_term_above, "theory-3.7"),
    (entropy_theory.divergence_term_below, "theory-3.7"),
    (entropy_theory.copying_error, "choosing-one-position-can-be-legitimate low-entropy-alone-is-not-a-fault"),
    # rows of normal scores
    (normal_limits.exponential_moment, "theory-3.7"),
    (normal_limits.tilted_density, "theory-3.7"),
    (normal_limits.tilted_mean, "theory-3.7"),
    (normal_limits.entropy_deficit, "theory-3.7", "law-of-large-numbers"),
    (normal_limits.deficit_of_divisor, "theory-3.7", "law-of-large-numbers"),
    (normal_limits.deficit_of_dk, "theory-3.7 dividing-by-dk-overflattens-with-dimension", "law-of-large-numbers"),
    (normal_limits.squares_limit, "theory-3.7", "law-of-large-numbers"),
    (normal_limits.condensation_point, "theory-3.7", "heuristic-of-heights"),
    (normal_limits.poisson_squares, "theory-3.7"),
    (normal_limits.poisson_transform, "theory-3.7"),
    (normal_limits.frozen_squares, "theory-3.7", "random-energy-model"),
    (normal_limits.tilt_bound, "theory-3.7 theory-3.8"),
    (normal_limits.best_tilt, "theory-3.7 theory-3.8"),
    (normal_limits.expected_maximum, "theory-3.7", "jensen"),
    (normal_limits.maximum_of_two, "theory-3.7"),
    (normal_limits.mills_ratio, "theory-3.7"),
    # other scales
    (
        alternatives.absorbed_scale,
        "theory-3.8 unscaled-dot-product-is-still-attention nonstandard-scale-does-not-disqualify",
    ),
    (alternatives.absorbed_gradient, "theory-3.8"),
    (alternatives.absorbed_step, "theory-3.8"),
    (alternatives.checkpoint_factor, "theory-3.8 changing-checkpoint-factor-needs-validation"),
    (alternatives.checkpoint_restored, "theory-3.8 changing-checkpoint-factor-needs-validation"),
    (alternatives.double_scaling, "theory-3.8 too-uniform-suspect-division-by-dk fused-avoid-double-application"),
    (alternatives.observed_ratio, "theory-3.8 monitor-score-std-before-and-after"),
    (alternatives.uniform_at_zero, "theory-3.8"),
    (alternatives.softcap_slope, "theory-3.8"),
    (alternatives.softcap_small, "theory-3.8"),
    (alternatives.softcap_next, "theory-3.8"),
    (alternatives.softcap_bound, "theory-3.8"),
    (alternatives.softcap_open, "theory-3.8"),
    (context_length.weight_cap, "theory-3.8 cosine-temperature-must-be-set-separately"),
    (context_length.lead_needed, "theory-3.8"),
    (context_length.gain_needed, "theory-3.8 cosine-temperature-must-be-set-separately"),
    (context_length.weight_grows_with_lead, "theory-3.8 smaller-scores-not-a-design-principle"),
    (context_length.weight_vanishes_with_length, "theory-3.8 overly-flat-weights-dilute-content"),
    (context_length.cauchy_schwarz, "theory-3.9 monitor-qk-norms"),
    (context_length.rms_bound, "theory-3.8"),
    (cosine_law.component_square, "theory-3.8 cosine-original-variance-derivation-not-transferable"),
    (cosine_law.cosine_variance, "theory-3.8 cosine-original-variance-derivation-not-transferable"),
    (cosine_law.gamma_ratio, "theory-3.8"),
    (cosine_law.density_of_square, "theory-3.8"),
    (cosine_law.beta_law, "theory-3.8"),
    (cosine_law.beta_variance, "theory-3.8 cosine-original-variance-derivation-not-transferable"),
    (cosine_law.cosine_fourth_moment, "theory-3.8"),
    (cosine_law.gained_variance, "theory-3.8"),
    (cosine_law.rms_variance, "theory-3.8"),
    (cosine_law.normal_in_the_limit, "theory-3.8"),
    (cosine_law.length_discarded, "cosine-attention-discards-length"),
    (cosine_law.ranks_differently, "cosine-attention-changes-similarity"),
    # lookup
    (lookup_steps.projection, "projections-share-one-input lesson-bank-query-vector lesson-step2-builds-q-k-v"),
    (lookup_steps.bank_scores, "lesson-score-by lesson-score-the lesson-score-river lesson-score-self"),
    (lookup_steps.bank_output, "lesson-output-vector lesson-softmax-weights one-query-procedure"),
    (lookup_steps.score_matrix, "score-row-is-one-query-against-all-keys"),
    (lookup_steps.only_products, "attention-compares-query-with-key"),
    (lookup_gradients.output_by_score, "soft-lookup-is-differentiable projections-can-learn-from-error"),
    (lookup_gradients.output_by_raw_score, "theory-3.5 soft-lookup-is-differentiable"),
    (lookup_gradients.output_by_value, "argmax-selected-value-still-has-gradient soft-lookup-is-differentiable"),
    (lookup_gradients.pull_of_pairs, "theory-3.8 discrete-choice-ill-suited-to-score-gradients"),
    (
        lookup_gradients.hard_by_score,
        "theory-3.8 discrete-choice-ill-suited-to-score-gradients argmax-does-not-zero-every-gradient",
    ),
    (
        lookup_gradients.hard_by_value,
        "theory-3.8 argmax-selected-value-still-has-gradient argmax-does-not-zero-every-gradient",
    ),
    (lookup_order.permuted_weights, "permutation-equivariance"),
    (lookup_order.permuted_output, "permutation-equivariance"),
    (lookup_order.asymmetry, "attention-need-not-be-symmetric"),
    (lookup_order.basis_change, "named-coordinates-not-in-real-embeddings"),
    (lookup_order.turned_output, "named-coordinates-not-in-real-embeddings"),
    (lookup_order.overtaking, "theory-3.9 value-mixing-also-costs-multiplications score-computation-time-n2d"),
)
_MEASURED = _table(
    "measured",
    (row_measurements.deficit_when_scaled, "theory-3.7"),
    (row_measurements.deficit_when_divided_by_dk, "theory-3.7 dividing-by-dk-overflattens-with-dimension"),
    (row_measurements.squares_times_n, "theory-3.7"),
    (row_measurements.frozen_squares_slowly, "theory-3.7"),
    (row_measurements.log_sum_per_log_n, "theory-3.7"),
    (row_measurements.concentration_unscaled, "theory-3.7 problem-is-scale-induced-concentration"),
    (row_measurements.largest_of_normals, "theory-3.7"),
)

RESULTS: Mapping[str, Result] = {one.name: one for one in (*_PROVED, *_MEASURED)}
"""``module.function`` → :class:`Result`, in the order of the theory."""


def results_for(source: str) -> tuple[Result, ...]:
    """Return what stands behind a claim or a section (``theory-3.4``); a ``KeyError`` lists them if there is none."""
    found = tuple(one for one in RESULTS.values() if source in one.sources)
    if not found:
        known = sorted({one for result in RESULTS.values() for one in result.sources})
        raise KeyError(f"source: expected one of {', '.join(known)}, got {source!r}")
    return found
