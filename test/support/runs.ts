// How often a model or a race runs: a few times in `npm test`, ten times as often in `npm run test:models`,
// which sets RUNS=10.

const factor = Number(process.env.RUNS ?? "1");

/** The number of runs, multiplied by RUNS. */
export function runs(everyday: number): number {
  return everyday * factor;
}

/** The seed of properties and models: always the same in `npm test`, another one in each run of `npm run test:models`. */
export function seedOfRun(): number {
  return factor === 1 ? 1 : Date.now() % 1_000_000;
}
