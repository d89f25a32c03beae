// The scheduled backup of the serving program. It runs in another process, because verification and
// compression occupy a thread for seconds.

import type { Log } from "#platform/log/log.ts";
import type { Environment } from "#platform/process/environment.ts";
import { ownProgram } from "#platform/process/own-program.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";

import { BackupFault } from "./files.ts";
import { plainEnvironment } from "./steps.ts";

export interface BackupPlan {
  /** A cron pattern in UTC. */
  readonly schedule: string;
  readonly dataDirectory: string;
  /** The folder of the backups. */
  readonly folder: string;
  /** How many backups of this shop are kept. */
  readonly keep: number;
  /** The keys of the settings, which the backup is signed with; null means the key file. */
  readonly secretKey: string | null;
  /** The settings that say where the files of media are. */
  readonly media: Environment;
  readonly log: Log;
}

/** The job that makes backups. A run throws BackupFault with the command's error output. */
export function backupJob(plan: BackupPlan): Job {
  return { name: "back up", pattern: plan.schedule, run: () => backUp(plan) };
}

async function backUp({
  dataDirectory,
  folder,
  keep,
  secretKey,
  media,
  log,
}: BackupPlan): Promise<void> {
  const args = ["--data-dir", dataDirectory, "backup", "--to", folder, "--keep", String(keep)];
  const child = Bun.spawn([...ownProgram(), ...args], {
    env: {
      ...plainEnvironment(),
      ...media,
      ...(secretKey === null ? {} : { DUKA_SECRET_KEY: secretKey }),
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [path, failure, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new BackupFault(`The backup command ended with ${code}: ${failure.trim()}`);
  log.info("A backup was made.", { path: path.trim() });
}
