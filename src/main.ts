// Dispatches argv to one command. Steps of a backup, the worker of pictures and states of a sandbox are checked first, so
// that their process loads no other module.

import { runQuickState } from "#cli/sandbox/quick-state.ts";
import { runBackupStep } from "#platform/backup/steps.ts";
import { IMAGE_WORKER } from "#platform/files/image-sizes.ts";

/** Files of this process and of its children are for their owner alone. */
process.umask(0o077);

const args = process.argv.slice(2);
process.exitCode =
  runBackupStep(args) ?? (await runWorker()) ?? (await runQuickState(args)) ?? (await runCommand());

async function runWorker(): Promise<number | null> {
  if (args[0] !== IMAGE_WORKER) return null;
  const { runImageWorker } = await import("#platform/files/image-worker.ts");
  return runImageWorker();
}

async function runCommand(): Promise<number> {
  const { runCommandLine } = await import("#cli/command-line.ts");
  return runCommandLine(args);
}
