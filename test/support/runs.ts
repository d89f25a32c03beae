// How often a model or a race is tried. `npm test` tries each a few times; `npm run test:models` says
// RUNS=10 and tries ten times as often.

const factor = Number(process.env.RUNS ?? "1");

/** This many, or as many times more as RUNS says. */
export function runs(everyday: number): number {
  return everyday * factor;
}
