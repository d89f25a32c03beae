// The arguments of `duka import products` and `duka export products`.

import { type Command, Option } from "commander";

import { modes } from "#platform/database/shop.ts";

import type { ExportOptions } from "./export-at-terminal.ts";
import type { ImportOptions } from "./import-at-terminal.ts";

/** Adds both to the program. `setSound` receives whether a file has no fault. */
export function addProducts(program: Command, setSound: (isSound: boolean) => void): void {
  program
    .command("import")
    .description("take over what another shop exported")
    .command("products")
    .description("check a CSV of Shopify, WooCommerce or Duka, and import it with --apply")
    .argument("<file>", "CSV with the names of the columns in its first row")
    .addOption(mode())
    .addOption(
      new Option("--from <shop>", "what wrote the file; read from its columns by default").choices([
        "shopify",
        "woocommerce",
        "duka",
      ]),
    )
    .option("--currency <code>", "currency of the prices, instead of that of the shop")
    .addOption(
      new Option("--existing <policy>", "what is done with products that the shop has")
        .choices(["update", "skip", "refuse"])
        .default("update"),
    )
    .option("--decimal-comma", "read prices like 12,50 and 1.234,50")
    .option("--apply", "import the products, unless a cell has a fault")
    .option("--report <file>", "write all faults and warnings to this file as JSON")
    .action(async (file: string, _, command: Command) => {
      const { importAtTerminal } = await import("./import-at-terminal.ts");
      setSound(await importAtTerminal(file, command.optsWithGlobals<ImportOptions>()));
    });
  program
    .command("export")
    .description("write what the shop has for other programs")
    .command("products")
    .description("write all products as CSV, for spreadsheets and for duka import products")
    .addOption(mode())
    .option("--out <file>", "write to this file instead of the terminal")
    .action(async (_, command: Command) => {
      const { exportAtTerminal } = await import("./export-at-terminal.ts");
      await exportAtTerminal(command.optsWithGlobals<ExportOptions>());
    });
}

function mode(): Option {
  return new Option("--mode <mode>", "mode of the shop").choices(modes).default("live");
}
