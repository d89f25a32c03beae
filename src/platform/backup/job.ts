// The scheduled backups of the serving program, and their copies. Each runs in another process, because verification and
// compression occupy a thread for seconds.

import { turns } from "#platform/files/turns.ts";
import type { Log } from "#platform/log/log.ts";
import type { Environment } from "#platform/process/environment.ts";
import { ownProgram } from "#platform/process/own-program.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";

import { BackupFault } from "./files.ts";
import { plainEnvironment } from "./steps.ts";

export interface BackupPlan {
  /** A cron pattern in UTC; null where none are made by themselves. */
  readonly schedule: string | null;
  readonly dataDirectory: string;
  /** The folder of the backups. */
  readonly folder: string;
  /** How many backups of this shop are kept. */
  readonly keep: number;
  /** True if there is a bucket to which they are copied. */
  readonly areCopied: boolean;
  /** The keys of the settings, which the backup is signed with; null means the key file. */
  readonly secretKey: string | null;
  /** The settings of the files of media, and of the bucket of the copies. */
  readonly places: Environment;
  readonly log: Log;
}

/** A bucket that was away gets what it lacks within the hour. */
const COPY_PATTERN = "17 * * * *";

/** The jobs that make and copy backups, one at a time. A run throws BackupFault with the command's error output. */
export function backupJobs(plan: BackupPlan): Job[] {
  const { schedule, areCopied, log } = plan;
  const inTurn = turns(1);
  const jobOf = (name: string, pattern: string, words: readonly string[]): Job => ({
    name,
    pattern,
    run: () =>
      inTurn(async () => {
        const path = await runCommand(plan, words);
        if (path !== "") log.info("A backup was made or copied.", { path });
      }),
  });
  return [
    ...(schedule === null ? [] : [jobOf("back up", schedule, [])]),
    ...(areCopied ? [jobOf("copy the backup", COPY_PATTERN, ["upload"])] : []),
  ];
}

/** Returns what it printed. */
async function runCommand(
  { dataDirectory, folder, keep, secretKey, places }: BackupPlan,
  words: readonly string[],
): Promise<string> {
  const args = ["--data-dir", dataDirectory, "backup", ...words, "--keep", String(keep)];
  const child = Bun.spawn([...ownProgram(), ...args], {
    env: {
      ...plainEnvironment(),
      ...places,
      DUKA_BACKUP_FOLDER: folder,
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
  return path.trim();
}
