// argv -> one command. A step of a backup is looked for first, so that its process loads nothing else.

import { runBackupStep } from "#platform/backup/steps.ts";

const args = process.argv.slice(2);
process.exitCode = runBackupStep(args) ?? (await runCommand());

async function runCommand(): Promise<number> {
  const { runCommandLine } = await import("#cli/command-line.ts");
  return runCommandLine(args);
}
