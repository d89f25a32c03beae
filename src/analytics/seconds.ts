// A histogram of the seconds that customers take to pay. Invariant: below 64 seconds each second is a
// step; above, a step is at most 1/32 of its value wide, so its middle is at most 1.6 % off.

const EXACT_BITS = 6;
const EXACT = 2 ** EXACT_BITS;
const STEPS_OF_DOUBLING = 32;

/** The step of a duration; negative durations count as 0. */
export function stepOf(milliseconds: number): number {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < EXACT) return seconds;
  const doubling = Math.floor(Math.log2(seconds));
  const within = Math.floor((seconds / 2 ** doubling - 1) * STEPS_OF_DOUBLING);
  return EXACT + (doubling - EXACT_BITS) * STEPS_OF_DOUBLING + within;
}

/** The whole seconds in the middle of a step. */
function secondsOf(step: number): number {
  if (step < EXACT) return step;
  const doubling = EXACT_BITS + Math.floor((step - EXACT) / STEPS_OF_DOUBLING);
  const within = (step - EXACT) % STEPS_OF_DOUBLING;
  const width = 2 ** doubling / STEPS_OF_DOUBLING;
  return Math.round(2 ** doubling + within * width + (width - 1) / 2);
}

/** The median in seconds, the lower of two; null without counts. */
export function medianSeconds(counts: ReadonlyMap<number, number>): number | null {
  const steps = [...counts].toSorted(([one], [other]) => one - other);
  const half = steps.reduce((sum, [, count]) => sum + count, 0) / 2;
  let passed = 0;
  for (const [step, count] of steps) {
    passed += count;
    if (passed > 0 && passed >= half) return secondsOf(step);
  }
  return null;
}
