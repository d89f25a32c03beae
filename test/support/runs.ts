// How often a model or a race runs: a few times in `npm test`, ten times as often in `npm run test:models`,
// which sets RUNS=10. Both try the same cases every time; SEED=random tries others.

const factor = Number(process.env.RUNS ?? "1");

/** The number of runs, multiplied by RUNS. */
export function runs(everyday: number): number {
  return everyday * factor;
}

/** The seed of properties and models, which is printed with what fails: SEED, or 1. */
export function seedOfRun(): number {
  const { SEED: wanted = "1" } = process.env;
  return wanted === "random" ? Date.now() % 1_000_000 : Number(wanted);
}
