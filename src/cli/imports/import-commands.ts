// The arguments of `duka import`.

import { type Command, Option } from "commander";

import { modes } from "#platform/database/shop.ts";

import type { CustomerOptions, ProductOptions } from "./import-at-terminal.ts";

/** Adds `import` to the program. `setSound` receives whether a file has no fault. */
export function addImport(program: Command, setSound: (isSound: boolean) => void): void {
  const group = program.command("import").description("take over what another shop exported");
  fileCommand(group, "products")
    .option("--currency <code>", "currency of the prices, instead of that of the shop")
    .option("--decimal-comma", "read numbers like 12,50 and 1.234,50")
    .addOption(new Option("--thousands-comma", "read 1,250 as 1250").conflicts("decimalComma"))
    .action(async (file: string, _, command: Command) => {
      const { importProductsAtTerminal } = await import("./import-at-terminal.ts");
      setSound(await importProductsAtTerminal(file, command.optsWithGlobals<ProductOptions>()));
    });
  fileCommand(group, "customers").action(async (file: string, _, command: Command) => {
    const { importCustomersAtTerminal } = await import("./import-at-terminal.ts");
    setSound(await importCustomersAtTerminal(file, command.optsWithGlobals<CustomerOptions>()));
  });
}

/** The command of either noun. */
function fileCommand(group: Command, noun: "products" | "customers"): Command {
  return group
    .command(noun)
    .description("check a CSV of Shopify, WooCommerce or Duka, and import it with --apply")
    .argument("<file>", "CSV with the names of the columns in its first row")
    .addOption(new Option("--mode <mode>", "mode of the shop").choices(modes).default("live"))
    .addOption(
      new Option("--from <shop>", "what wrote the file; read from its columns by default").choices([
        "shopify",
        "woocommerce",
        "duka",
      ]),
    )
    .option(
      "--encoding <name>",
      "encoding of the file, such as windows-1251; told by its bytes by default",
    )
    .addOption(
      new Option("--existing <policy>", `what is done with ${noun} that the shop has`)
        .choices(["update", "skip", "refuse"])
        .default("update"),
    )
    .option("--apply", `import the ${noun}, unless a cell has a fault`)
    .option("--partial", `with faults in the file, import the ${noun} that have none`)
    .option(
      "--report <file>",
      "write the rows with faults to this new .csv, or all faults and warnings to this .json",
    );
}
