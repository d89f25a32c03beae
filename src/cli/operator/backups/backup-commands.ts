// The commands of backups, as they are typed.

import type { Command } from "commander";

import { BackupFault } from "#platform/backup/fault.ts";
import { engine } from "#platform/database/engine.ts";

import {
  backUpAtTerminal,
  type BackupOptions,
  listBackupsAtTerminal,
  verifyBackupAtTerminal,
} from "./backup.ts";
import { restoreAtTerminal, type RestoreOptions } from "./restore.ts";

/** Adds them to the program; `judge` hears whether what a command looked at is sound. */
export function addBackups(program: Command, judge: (isSound: boolean) => void): void {
  const backup = program
    .command("backup")
    .hook("preAction", requireFiles)
    .description("make a proven copy of both databases; works beside a running server")
    .option("--to <folder>", "where backups are kept, instead of DUKA_BACKUP_FOLDER")
    .option("--keep <number>", "afterwards delete all but this many backups of this shop")
    .action(async (_, command: Command) => {
      judge(await backUpAtTerminal(command.optsWithGlobals<BackupOptions>()));
    });
  backup
    .command("verify")
    .description("prove that a backup restores, in a temporary folder (TMPDIR)")
    .argument("<path>", "the backup")
    .action(async (path: string) => judge(await verifyBackupAtTerminal(path)));
  backup
    .command("list")
    .description("list the backups of a folder, newest first")
    .option("--to <folder>", "where backups are kept, instead of DUKA_BACKUP_FOLDER")
    .option("--json", "print them as JSON")
    .action((_, command: Command) =>
      listBackupsAtTerminal(command.optsWithGlobals<BackupOptions & { readonly json?: true }>()),
    );
  program
    .command("restore")
    .hook("preAction", requireFiles)
    .description("put a backup in the place of the databases, and keep those; no server may run")
    .argument("<path>", "the backup")
    .option("--despite-differences", "also where not all figures in the backup agree")
    .action(async (path: string, _, command: Command) => {
      judge(await restoreAtTerminal(path, command.optsWithGlobals<RestoreOptions>()));
    });
}

/** What is in a server is not in the files of a data directory: a copy of those would be of nothing. */
function requireFiles(): void {
  if (engine === "sqlite") return;
  throw new BackupFault(
    "The shop is in PostgreSQL, as DUKA_DATABASE_URL says: back it up with PostgreSQL's own means " +
      "(pg_dump, base backups), or copy it into a data directory with `duka db copy`.",
  );
}
