/* exp, log and powers from sums, products and quotients alone: step for step as practice/elementary.py, so that both
   give the same bits and no verdict depends on whose mathematical library read the answer. */

const LN2_HIGH = 6.93147180369123816490e-01, LN2_LOW = 1.90821492927058770002e-10;
const STEPS = [512, 256, 128, 64, 32, 16, 8, 4, 2, 1];
const LARGEST_WHOLE = 1e6;

export function exp(x) {
  if (!(x < 709.8)) return NaN;
  if (x < -745.2) return 0;
  const k = Math.floor(x / LN2_HIGH + 0.5), r = x - k * LN2_HIGH - k * LN2_LOW, half = Math.floor(k / 2);
  let value = 1;
  for (let n = 16; n > 0; n--) value = 1 + value * r / n;
  value = value * wholePower(2, half) * wholePower(2, k - half);
  return value < Infinity ? value : NaN;
}

export function log(x) {
  if (!(x > 0 && x < Infinity)) return NaN;
  let k = 0, series = 0;
  if (x < 2.3e-308) {
    x *= wholePower(2, 54);
    k = -54;
  }
  for (const step of STEPS) {
    const size = wholePower(2, step);
    if (x >= size) {
      x /= size;
      k += step;
    } else if (x < 2 / size) {
      x *= size;
      k -= step;
    }
  }
  if (x > 1.4142135623730951) {
    x /= 2;
    k += 1;
  }
  const s = (x - 1) / (x + 1), square = s * s;
  for (let n = 27; n > 0; n -= 2) series = series * square + 1 / n;
  return k * LN2_HIGH + (2 * s * series + k * LN2_LOW);
}

export function wholePower(base, exponent) {
  if (base === 0 && exponent <= 0) return NaN;
  let value = 1, left = Math.abs(exponent);
  while (left) {
    if (left % 2) value *= base;
    left = Math.floor(left / 2);
    if (left) base *= base;
  }
  if (exponent < 0) value = value ? 1 / value : NaN;
  return Math.abs(value) < Infinity ? value : NaN;
}

export function power(base, exponent) {
  if (exponent === Math.floor(exponent)) {
    return Math.abs(exponent) <= LARGEST_WHOLE ? wholePower(base, exponent) : NaN;
  }
  if (base === 0) return exponent > 0 ? 0 : NaN;
  return exp(exponent * log(base));
}
