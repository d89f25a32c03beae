// Dispatches argv to one command. Steps of a backup and states of a sandbox are checked first, so that their process
// loads no other module.

import { runQuickState } from "#cli/sandbox/quick-state.ts";
import { runBackupStep } from "#platform/backup/steps.ts";

/** Files of this process and of its children are for their owner alone. */
process.umask(0o077);

const args = process.argv.slice(2);
process.exitCode = runBackupStep(args) ?? (await runQuickState(args)) ?? (await runCommand());

async function runCommand(): Promise<number> {
  const { runCommandLine } = await import("#cli/command-line.ts");
  return runCommandLine(args);
}
