// Makes the files of a release in `dist/release`: `npm run release`. Publishes nothing. A commit that may not be released
// ends it with one sentence before anything is built.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { readEnvironment } from "#platform/process/environment.ts";

import { ReleaseFault, root } from "./command.ts";
import { componentList, libcComponent, runtimeComponent, scalarComponent } from "./components.ts";
import { imageOf } from "./image.ts";
import { fetchLibc, imageMachines, type Libc } from "./libc.ts";
import { archiveOf, launcherPackage, programPackage, readCompanions } from "./packages.ts";
import { buildProgram, type Program, type Target, targets } from "./programs.ts";
import { readSource, type Source } from "./source.ts";
import { Made, sign } from "./summary.ts";
import { proofOf } from "./trial.ts";

interface ReleaseTerms {
  readonly only: string | undefined;
  /** Where the files are written. */
  readonly out: string;
  /** The file of the private key; null for a release without a signature. */
  readonly key: string | null;
  /** True if all is made again, and compared. */
  readonly twice: boolean;
}

/** What a release is put together of. */
interface Parts {
  readonly programs: readonly Program[];
  readonly libcs: readonly Libc[];
}

try {
  await release(readTerms());
} catch (error) {
  if (!(error instanceof ReleaseFault)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function readTerms(): ReleaseTerms {
  const options = {
    only: { type: "string" },
    out: { type: "string", default: join(root, "dist/release") },
    unsigned: { type: "boolean", default: false },
    twice: { type: "boolean", default: false },
  } as const;
  const { only, out, unsigned, twice } = parsed(() => parseArgs({ options }).values);
  const key = readEnvironment()["DUKA_RELEASE_KEY"];
  if (key === undefined && !unsigned)
    throw new ReleaseFault("DUKA_RELEASE_KEY names no key: --unsigned makes no signature.");
  return { only, out: resolve(out), key: unsigned ? null : (key ?? null), twice };
}

/** An option that is not understood is told in its sentence. */
function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new ReleaseFault(error instanceof Error ? error.message : String(error));
  }
}

async function release({ only, out, key, twice }: ReleaseTerms): Promise<void> {
  const chosen = targets.filter((target) => only === undefined || target === only);
  if (chosen.length === 0) throw new ReleaseFault(`--only takes one of ${targets.join(", ")}.`);
  const source = await readSource();
  const folder = mkdtempSync(join(tmpdir(), "duka-release-"));
  try {
    if (key !== null) trySigning(folder, key);
    const sums = await make(source, chosen, { folder: join(folder, "first"), out });
    if (twice) {
      const again = { folder: join(folder, "again"), out: join(folder, "out") };
      const others = await make(source, chosen, again);
      if (readFileSync(sums, "utf8") !== readFileSync(others, "utf8"))
        throw new ReleaseFault("Made a second time, the files have other bytes.");
    }
    if (key !== null) sign(sums, key);
    console.log(`Duka ${source.version} is in ${out}.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the files of these targets, with a folder for what they are made of; returns the file of their sums. */
async function make(
  source: Source,
  chosen: readonly Target[],
  { folder, out }: { readonly folder: string; readonly out: string },
): Promise<string> {
  const programs: Program[] = [];
  for (const target of chosen) programs.push(await buildProgram(target, folder));
  const machines = new Set(chosen.flatMap((target) => imageMachines[target] ?? []));
  const libcs = [...machines].map((machine) => fetchLibc(machine, folder));
  const proofs = programs.map((one) => [one.target, proofOf(one, source.version, libcs)]);
  const made = new Made(out);
  addFiles(made, source, { programs, libcs });
  made.writeSummary(source, proofs);
  return made.writeSums();
}

function addFiles(made: Made, source: Source, { programs, libcs }: Parts): void {
  const companions = readCompanions(source);
  for (const program of programs) {
    made.add(archiveOf(source, program, companions));
    for (const one of programPackage(source, program, companions)) made.add(one);
    const libc = libcs.find(({ machine }) => machine === imageMachines[program.target]);
    if (libc !== undefined) made.add(imageOf(source, program.file, libc));
  }
  made.add(launcherPackage(source));
  const added = [...programs.map(runtimeComponent), ...libcs.map(libcComponent), scalarComponent()];
  made.add({ path: `duka-${source.version}.cdx.json`, bytes: componentList(source, added) });
}

/** A key that cannot sign is told of before minutes of work. */
function trySigning(folder: string, key: string): void {
  const file = join(folder, "try");
  writeFileSync(file, "");
  sign(file, key);
}
