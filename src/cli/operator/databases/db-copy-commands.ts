// The commands of the databases as they are, as they are typed.

import type { Command } from "commander";

import { copyAtTerminal, type CopyOptions } from "./db-copy.ts";

const PLACES = `
Each is a data directory, or postgres://user:password@host:port/database. The arguments of a program
are visible to every user of the machine: write "postgres" for the PostgreSQL of DUKA_DATABASE_URL
instead, and ./postgres for a directory of that name.

Stop every Duka first. The target is empty or not there yet, the source has this program's schema
(duka migrate), and both modes are copied. What is sealed stays sealed: its key travels separately.`;

/** Adds them to the program. */
export function addDatabases(program: Command): void {
  const databases = program.command("db").description("move a shop from one engine to the other");
  databases
    .command("copy")
    .description("copy a shop into PostgreSQL, or back into a data directory; no server may run")
    .requiredOption("--from <place>", "where the shop is")
    .requiredOption("--to <place>", "where it is to be")
    .addHelpText("after", PLACES)
    .action((_, command: Command) => copyAtTerminal(command.optsWithGlobals<CopyOptions>()));
}
