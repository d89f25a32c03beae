// `npm run mutants -- [--seed n] [--count n] [--of pattern]… [--engine postgres] [--only pattern]… [--keep folder]
// [--from folder]`: shows which changed lines of the source no test notices. Mutants are kept as patches, so that `--from`
// runs the same ones against other tests. Survivors are for a reader to judge, so they do not change the exit code.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { Chance } from "../faults/fault.ts";
import { wordsOf } from "../support/source-text.ts";
import { type Engine, HouseCopy, type TestRun } from "./house-copy.ts";
import { type Mutant, mutantsOf, mutatedText, patchOf } from "./mutations.ts";

/** A mutant as it is kept: a patch in a file. */
interface Kept {
  readonly name: string;
  readonly patchFile: string;
  readonly path: string;
  /** Where it is and what it changes. */
  readonly title: string;
}

/** What is changed, and the tests that run before all others. */
const AREAS: Record<Engine, { of: readonly string[]; first: RegExp }> = {
  sqlite: {
    of: ["src/sales/**/*.ts", "src/payments/**/*.ts"],
    first: /^test\/(?:sales|payments|stories)\//,
  },
  postgres: {
    of: ["src/platform/database/postgres/**/*.ts", "src/**/queries.ts"],
    first: /^test\/platform\/database\//,
  },
};
/** A mutant first meets the tests whose paths have most of its words, in runs of so many, since most are killed soon. */
const NEAR_RUNS = [1, 2, 4, 8];
/** What killed each mutant of a folder, which is tried first when they are run again. */
const KILLERS = "killers.json";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "7" },
    count: { type: "string", default: "60" },
    of: { type: "string", multiple: true },
    engine: { type: "string", default: "sqlite" },
    only: { type: "string", multiple: true, default: ["test/**/*.test.ts"] },
    keep: { type: "string" },
    from: { type: "string" },
  },
});
const engine: Engine = values.engine === "postgres" ? "postgres" : "sqlite";
const folder = resolve(values.from ?? values.keep ?? mkdtempSync(join(tmpdir(), "mutants-")));
using copy = new HouseCopy(process.cwd(), engine);
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    copy[Symbol.dispose]();
    process.exit(1);
  });
}
const wanted = values.only.map((pattern) => new Bun.Glob(pattern));
const tests = copy.testFiles().filter((path) => wanted.some((glob) => glob.match(path)));
const shares = sharesOfWords(tests);
/** Tests that fail without any change show nothing. */
const isSound = new Map<string, boolean>();
const killers: Record<string, string> = existsSync(join(folder, KILLERS))
  ? JSON.parse(readFileSync(join(folder, KILLERS), "utf8"))
  : {};
let killed = 0;

if (values.from === undefined) await makeMutants();
await runMutants(keptMutants());

/** Keeps as many mutants as wanted, one in a file. */
async function makeMutants(): Promise<void> {
  const paths = (values.of ?? AREAS[engine].of).flatMap((pattern) => copy.files(pattern));
  const texts = new Map<string, string>();
  for (const path of paths) texts.set(path, await copy.text(path));
  const all = shuffled([...texts].flatMap(([path, text]) => mutantsOf(path, text)));
  const left = [...new Map(all.map((one) => [one.path, one])).values()];
  let chosen: readonly Mutant[] = [];
  while (chosen.length < Number(values.count) && left.length > 0) {
    const drawn = left.splice(0, Number(values.count) - chosen.length);
    chosen = await compiling([...chosen, ...drawn], texts);
  }
  mkdirSync(folder, { recursive: true });
  for (const [index, mutant] of chosen.entries()) {
    const name = `${String(index + 1).padStart(3, "0")}.patch`;
    writeFileSync(join(folder, name), patchOf(mutant, texts.get(mutant.path) ?? ""));
  }
}

/** Those in which the compiler finds nothing. All are checked at once, since it names the file of an error. */
async function compiling(
  mutants: readonly Mutant[],
  texts: ReadonlyMap<string, string>,
): Promise<Mutant[]> {
  for (const one of mutants) copy.write(one.path, mutatedText(one, texts.get(one.path) ?? ""));
  const faulty = await copy.faultyFiles();
  copy.restore(mutants.map(({ path }) => path));
  const good = mutants.filter(({ path }) => !faulty.has(path));
  if (faulty.size === 0 || good.length < mutants.length) return good;
  // An error in another file than the mutant's: the halves show whose it is.
  const half = Math.floor(mutants.length / 2);
  if (half === 0) return [];
  return [
    ...(await compiling(mutants.slice(0, half), texts)),
    ...(await compiling(mutants.slice(half), texts)),
  ];
}

function shuffled<T>(list: readonly T[]): T[] {
  const chance = new Chance(Number(values.seed));
  return list
    .map((one) => ({ one, at: chance.share() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

function keptMutants(): Kept[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".patch"));
  return names.toSorted().map((name) => {
    const patchFile = join(folder, name);
    const [title = ""] = readFileSync(patchFile, "utf8").split("\n");
    return { name, patchFile, title, path: title.split(":")[0] ?? "" };
  });
}

/**
 * Each mutant alone meets the tests that are near it, and what killed it before. Those that are left meet all others
 * together, first those of their area: what fails then, each meets alone. So a survivor costs no whole run of its own.
 */
async function runMutants(mutants: readonly Kept[]): Promise<void> {
  const left = new Set(mutants.filter(hasPlace));
  for (const mutant of left) await meet(mutant, lastKiller(mutant), left);
  for (const round of NEAR_RUNS.keys()) {
    for (const mutant of left) await meet(mutant, nearTests(mutant)[round] ?? [], left);
  }
  for (const isFirst of [true, false]) {
    const files = tests.filter((path) => AREAS[engine].first.test(path) === isFirst);
    say(`${left.size} left meet ${files.length} files together.`);
    const failing = await failingTogether([...left], files);
    say(`${failing.length} of them fail.`);
    for (const mutant of left) await meet(mutant, failing, left);
  }
  for (const { name, title } of left) say(`${name} survived ${title}`);
  say(`${killed} of ${killed + left.size} killed, ${left.size} survived.`);
}

/** Some lines of a kept mutant may have changed since. */
function hasPlace({ name, patchFile, path, title }: Kept): boolean {
  const is = copy.apply(patchFile);
  copy.restore(is ? [path] : []);
  if (!is) say(`${name} has no place any more: ${title}`);
  return is;
}

/** Runs the tests with this mutant alone; if it is killed, it is left no longer. */
async function meet(mutant: Kept, files: readonly string[], left: Set<Kept>): Promise<void> {
  const killer = await killerOf(
    mutant,
    files.filter((file) => isSound.get(file) !== false),
  );
  if (killer === null) return;
  left.delete(mutant);
  killed += 1;
  killers[mutant.name] = killer.file;
  writeFileSync(join(folder, KILLERS), `${JSON.stringify(killers, null, 2)}\n`);
  say(`${mutant.name} killed ${mutant.title}\n    by ${killer.file}: ${killer.test}`);
}

async function killerOf(
  mutant: Kept,
  files: readonly string[],
): Promise<TestRun["failures"][number] | null> {
  if (files.length === 0) return null;
  const run = await runWith([mutant], files, true);
  if (run.hasPassed) return null;
  if (run.isEndedBySilence) return { file: files[0] ?? "", test: "a test that did not end" };
  const [failure] = run.failures;
  if (failure === undefined) return { file: "", test: "a run that ended early" };
  if ((await failsAgain(mutant, failure.file)) && (await passesUnchanged(failure.file)))
    return failure;
  return killerOf(
    mutant,
    files.filter((file) => file !== failure.file),
  );
}

/** A machine that is busy may fail a test once. */
async function failsAgain(mutant: Kept, file: string): Promise<boolean> {
  return !(await runWith([mutant], [file], true)).hasPassed;
}

async function passesUnchanged(file: string): Promise<boolean> {
  const known = isSound.get(file) ?? (await copy.run([file], { bail: true })).hasPassed;
  isSound.set(file, known);
  return known;
}

/** The files that fail with all of these mutants; all of them if the run did not end by itself. */
async function failingTogether(
  mutants: readonly Kept[],
  files: readonly string[],
): Promise<string[]> {
  if (mutants.length === 0) return [];
  const run = await runWith(mutants, files, false);
  if (!run.hasPassed && (run.isEndedBySilence || run.failures.length === 0)) return [...files];
  return [...new Set(run.failures.map(({ file }) => file))];
}

async function runWith(
  mutants: readonly Kept[],
  files: readonly string[],
  bail: boolean,
): Promise<TestRun> {
  for (const { patchFile } of mutants) copy.apply(patchFile);
  const run = await copy.run(files, { bail });
  copy.restore(mutants.map(({ path }) => path));
  return run;
}

function lastKiller({ name }: Kept): string[] {
  return tests.filter((path) => path === killers[name]);
}

/** The tests whose paths share most words with the mutant's. A rare word counts for more. */
function nearTests(mutant: Kept): string[][] {
  const own = new Set(pathWords(mutant.path));
  const nearness = (path: string) =>
    pathWords(path).reduce((sum, word) => sum + (own.has(word) ? (shares.get(word) ?? 0) : 0), 0);
  const near = tests.toSorted((a, b) => nearness(b) - nearness(a));
  return NEAR_RUNS.map((count) => near.splice(0, count));
}

/** How much a word says: one by the number of paths that have it. */
function sharesOfWords(paths: readonly string[]): ReadonlyMap<string, number> {
  const groups = Map.groupBy(paths.flatMap(pathWords), (word) => word);
  return new Map([...groups].map(([word, all]) => [word, 1 / all.length]));
}

/** The different words of a path, each in its singular. */
function pathWords(path: string): string[] {
  const words = wordsOf(path.replace(/^\w+\//, "").replace(/\.[\w.]+$/, ""));
  return [...new Set(words.map((word) => word.replace(/s$/, "")))];
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
