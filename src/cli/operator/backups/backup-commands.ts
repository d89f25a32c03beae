// The arguments of `duka backup` and `duka restore`.

import type { Command } from "commander";

import type { JsonOptions } from "#cli/operator/settings.ts";
import { BackupFault } from "#platform/backup/files.ts";
import { BACK_UP_SERVER } from "#platform/config/config.ts";
import { engine } from "#platform/database/engine.ts";

import type { BackupOptions, TrustOptions } from "./backup-work.ts";
import type { RestoreOptions } from "./restore.ts";

const PATH = "path of the backup, or its name in the bucket, as s3:duka-…";
const place = [
  "--to <folder>",
  "folder of the backups, overrides DUKA_BACKUP_FOLDER; s3: is the bucket alone",
] as const;
const keep = [
  "--keep <number>",
  "then delete all but the newest <number> backups of this shop",
] as const;
const secretKeyFile = [
  "--secret-key-file <file>",
  "a copy of the secret.key that the shop had when the backup was made",
] as const;
const unverified = [
  "--unverified",
  "accept a backup that is not proven to be of this shop; its webhooks are disabled",
] as const;

/** Adds both to the program. `setSound` receives whether all figures of the backup agree. */
export function addBackups(program: Command, setSound: (isSound: boolean) => void): void {
  const backup = program
    .command("backup")
    .hook("preAction", requireFiles)
    .description("back up both databases and verify the copy; works beside a running server")
    .option(...place)
    .option(...keep)
    .action(async (_, command: Command) => {
      const { backUpAtTerminal } = await import("./backup.ts");
      setSound(await backUpAtTerminal(command.optsWithGlobals<BackupOptions>()));
    });
  backup
    .command("verify")
    .description("restore a backup into a temporary folder (TMPDIR) and verify it")
    .argument("<path>", PATH)
    .option(...secretKeyFile)
    .option(...unverified)
    .action(async (path: string, _, command: Command) => {
      const { verifyBackupAtTerminal } = await import("./backup.ts");
      setSound(await verifyBackupAtTerminal(path, command.optsWithGlobals<TrustOptions>()));
    });
  backup
    .command("list")
    .description("list the backups of the folder, then those of the bucket, newest first")
    .option(...place)
    .option("--json", "print the backups as JSON")
    .action(async (_, command: Command) => {
      const { listBackupsAtTerminal } = await import("./backup.ts");
      setSound(await listBackupsAtTerminal(command.optsWithGlobals<BackupOptions & JsonOptions>()));
    });
  backup
    .command("upload")
    .description("copy the newest backup to the bucket, if it is not there; works beside a server")
    .option(...keep)
    .action(async (_, command: Command) => {
      const { uploadAtTerminal } = await import("./copy-backup.ts");
      setSound(await uploadAtTerminal(command.optsWithGlobals<BackupOptions>()));
    });
  program
    .command("restore")
    .hook("preAction", requireFiles)
    .description("replace the databases with a backup and keep the old ones; no server may run")
    .argument("<path>", PATH)
    .option("--despite-differences", "restore even if figures in the backup do not agree")
    .option("--revoke-keys", "revoke every API key of the backup")
    .option("--revoke-people", "remove every person of the backup; the next start invites an owner")
    .option(...secretKeyFile)
    .option(...unverified)
    .action(async (path: string, _, command: Command) => {
      const { restoreAtTerminal } = await import("./restore.ts");
      setSound(await restoreAtTerminal(path, command.optsWithGlobals<RestoreOptions>()));
    });
}

/** Refuses on PostgreSQL, where a copy of the data directory would not contain the shop. */
function requireFiles(): void {
  if (engine === "sqlite") return;
  throw new BackupFault(
    `DUKA_DATABASE_URL is set, so the shop is in PostgreSQL: ${BACK_UP_SERVER}.`,
  );
}
