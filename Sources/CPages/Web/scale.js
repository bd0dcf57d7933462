// Scales and ticks that all charts share.

/** Round numbers from 0 or `low` to at least `high`, about `count` of them. */
function ticksTo(high, count = 3, low = 0) {
  const span = high - low;
  if (!(span > 0)) return [low, low + 1];
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough * 0.999);
  const first = Math.floor(low / step + 1e-9);
  const ticks = [];
  for (let number = first; ; number++) {
    ticks.push(Number((number * step).toPrecision(12)));
    if (number * step >= high - step * 1e-6) return ticks;
  }
}

/** Moments that are round in minutes and seconds, at most `count` of them. */
function timeTicks(duration, count) {
  const steps = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400];
  const step = steps.find((each) => duration / each <= count) ?? 28800;
  return Array.from({ length: Math.floor(duration / step + 1e-9) + 1 }, (_, number) => number * step);
}

function largest(values) {
  let most = -Infinity;
  for (const value of values) if (value > most) most = value;
  return most;
}

function meanOf(values) {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return count ? sum / count : NaN;
}
