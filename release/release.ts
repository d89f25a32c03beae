// Makes the files of a release in `dist/release`: `npm run release`. Publishes nothing. A commit that may not be released
// ends it with one sentence before anything is built.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { readEnvironment } from "#platform/process/environment.ts";

import { archiveOf, readCompanions } from "./archives.ts";
import { ReleaseFault, root } from "./command.ts";
import { componentList, libcComponent, runtimeComponent, scalarComponent } from "./components.ts";
import { fetchLibc, imageMachines, type Libc } from "./libc.ts";
import { buildProgram, type Program, targets } from "./programs.ts";
import { sign } from "./signature.ts";
import { readSource, type Source } from "./source.ts";
import { Made } from "./summary.ts";
import { proofOf } from "./trial.ts";

interface ReleaseTerms {
  readonly only: string | undefined;
  /** Where the files are written. */
  readonly out: string;
  /** The file of the private key; null for a release without a signature. */
  readonly key: string | null;
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
  } as const;
  const { only, out, unsigned } = parsed(() => parseArgs({ options }).values);
  const key = readEnvironment()["DUKA_RELEASE_KEY"];
  if (key === undefined && !unsigned)
    throw new ReleaseFault("DUKA_RELEASE_KEY names no key: --unsigned makes no signature.");
  return { only, out: resolve(out), key: unsigned ? null : (key ?? null) };
}

/** An option that is not understood is told in its sentence. */
function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new ReleaseFault(error instanceof Error ? error.message : String(error));
  }
}

async function release({ only, out, key }: ReleaseTerms): Promise<void> {
  const chosen = targets.filter((target) => only === undefined || target === only);
  if (chosen.length === 0) throw new ReleaseFault(`--only takes one of ${targets.join(", ")}.`);
  const source = await readSource();
  const folder = mkdtempSync(join(tmpdir(), "duka-release-"));
  try {
    if (key !== null) trySigning(folder, key);
    const programs: Program[] = [];
    for (const target of chosen) programs.push(await buildProgram(target, folder));
    const machines = new Set(programs.flatMap(({ target }) => imageMachines[target] ?? []));
    const libcs = [...machines].map((machine) => fetchLibc(machine, folder));
    const proofs = programs.map((program) => [
      program.target,
      proofOf(program, source.version, libcs),
    ]);
    const made = new Made(out);
    addFiles(made, source, { programs, libcs });
    const sums = made.writeSums();
    if (key !== null) sign(sums, key);
    made.writeSummary(source, proofs);
    console.log(`Duka ${source.version} is in ${out}.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function addFiles(made: Made, source: Source, { programs, libcs }: Parts): void {
  const companions = readCompanions();
  for (const program of programs) made.add(archiveOf(source, program, companions));
  const added = [...programs.map(runtimeComponent), ...libcs.map(libcComponent), scalarComponent()];
  made.add({ path: `duka-${source.version}.cdx.json`, bytes: componentList(source, added) });
}

/** A key that cannot sign is told of before minutes of work. */
function trySigning(folder: string, key: string): void {
  const file = join(folder, "try");
  writeFileSync(file, "");
  sign(file, key);
}
