// How often a model or a race runs: a few times in `npm test`, ten times as often in `npm run test:models`,
// which sets RUNS=10.

const factor = Number(process.env.RUNS ?? "1");

/** The number of runs, multiplied by RUNS. */
export function runs(everyday: number): number {
  return everyday * factor;
}
