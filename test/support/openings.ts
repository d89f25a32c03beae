// How many test shops a run opens. Each costs 30 ms of processor time: `npm test` fails beyond a limit, so that a file
// shares one shop (`sharedShop`) where its tests do not need one each. The processes of a run count in one file, which
// `npm test` names in OPENINGS and deletes.

import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const OPENINGS_MAX = 3_000;

/** Counts a shop that is opened: a byte, since several processes append at once. */
export function countOpening(): void {
  const { OPENINGS: file } = process.env;
  if (file !== undefined) appendFileSync(file, ".");
}

/** Runs a command of tests, and ends with its exit code, or with 1 if it opened too many shops. */
async function runCounted(command: string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "duka-openings-"));
  try {
    const file = join(folder, "openings");
    writeFileSync(file, "");
    const tests = Bun.spawn(command, {
      env: { ...process.env, OPENINGS: file },
      stdio: ["inherit", "inherit", "inherit"],
    });
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.on(signal, () => tests.kill(signal));
    const code = await tests.exited;
    const { size: openings } = statSync(file);
    process.stderr.write(`${openings} test shops were opened, of ${OPENINGS_MAX} at most.\n`);
    return code === 0 && openings > OPENINGS_MAX ? 1 : code;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) process.exit(await runCounted(process.argv.slice(2)));
