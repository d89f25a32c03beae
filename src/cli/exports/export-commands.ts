// The arguments of `duka export`.

import { type Command, Option } from "commander";

import { modes } from "#platform/database/shop.ts";

import type { ArchiveOptions } from "./archive/archive-at-terminal.ts";
import type { ExportOptions } from "./export-at-terminal.ts";
import type { Exported } from "./export-sheet.ts";

/** Adds `export` to the program; `setSound` takes whether nothing is missing in an archive. */
export function addExport(program: Command, setSound: (isSound: boolean) => void): void {
  const group = program.command("export").description("write what the shop has for other programs");
  sheetCommand(
    group,
    "products",
    "write all products as CSV, for spreadsheets and for duka import products",
  );
  sheetCommand(
    group,
    "customers",
    "write all customers as CSV, for spreadsheets and for duka import customers",
  );
  ofDays(
    sheetCommand(
      group,
      "orders",
      "write orders with their taxes and refunds as CSV, for the accounts",
    ),
  );
  ofDays(
    sheetCommand(
      group,
      "order-lines",
      "write the lines of orders with their metadata as CSV, a row for each",
    ),
  );
  group
    .command("archive")
    .description(
      "write everything of the shop as JSON Lines with its pictures, or verify such an archive",
    )
    .addOption(modeOption())
    .option("--to <path>", "write to this empty directory, or to this file that ends in .tar.gz")
    .option("--mask", "leave personal data out")
    .option("--verify <path>", "compare an archive with its manifest instead")
    .action(async (_, command: Command) => {
      const { archiveAtTerminal } = await import("./archive/archive-at-terminal.ts");
      setSound(await archiveAtTerminal(command.optsWithGlobals<ArchiveOptions>()));
    });
}

function modeOption(): Option {
  return new Option("--mode <mode>", "mode of the shop").choices(modes).default("live");
}

function ofDays(command: Command): Command {
  return command
    .option("--from <day>", "orders from this day of the shop on, such as 2026-01-01")
    .option("--to <day>", "orders up to this day, with the orders of that day");
}

function sheetCommand(group: Command, what: Exported, description: string): Command {
  return group
    .command(what)
    .description(description)
    .addOption(modeOption())
    .option("--out <file>", "write to this file instead of the terminal; - is stdout")
    .action(async (_, command: Command) => {
      const { exportAtTerminal } = await import("./export-at-terminal.ts");
      await exportAtTerminal(what, command.optsWithGlobals<ExportOptions>());
    });
}
