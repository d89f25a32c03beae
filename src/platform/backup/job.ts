// Regular work: the serving program backs itself up. Another process does it, since checking and packing
// keep a thread for seconds.

import type { Log } from "#platform/log/log.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";

import { BackupFault } from "./fault.ts";
import { ownProgram, plainEnvironment } from "./program.ts";

export interface BackupPlan {
  /** A cron pattern in UTC. */
  readonly schedule: string;
  readonly dataDirectory: string;
  /** Where the backups are kept. */
  readonly folder: string;
  /** How many are left of this shop. */
  readonly keep: number;
  readonly log: Log;
}

/** A backup whenever the schedule says so. A run throws BackupFault with what the command complained of. */
export function backupJob(plan: BackupPlan): Job {
  return { name: "back up", pattern: plan.schedule, run: () => backUp(plan) };
}

async function backUp({ dataDirectory, folder, keep, log }: BackupPlan): Promise<void> {
  const args = ["--data-dir", dataDirectory, "backup", "--to", folder, "--keep", String(keep)];
  const child = Bun.spawn([...ownProgram(), ...args], {
    env: plainEnvironment(),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [path, told, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new BackupFault(`The backup command ended with ${code}: ${told.trim()}`);
  log.info("A backup was made.", { path: path.trim() });
}
