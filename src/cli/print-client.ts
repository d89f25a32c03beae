// `duka client`: the typed client of this version, and a storefront that uses it, without a server.

import { closeSync, writeFileSync } from "node:fs";

import { type Command, Option } from "commander";

import { print } from "#platform/process/output.ts";

interface ClientOptions {
  readonly js?: true;
  readonly example?: true;
  readonly out?: string;
}

/** Adds the command to the program. */
export function addClient(program: Command): void {
  program
    .command("client")
    .description("print the typed client, one file without dependencies")
    .option("--js", "print JavaScript instead of TypeScript")
    .addOption(
      new Option("--example", "print a storefront instead, one page to start from").conflicts("js"),
    )
    .option(
      "--out <file>",
      "write the file instead of printing it; replaces an earlier one; - is stdout",
    )
    .action(async ({ out, ...what }: ClientOptions) => {
      const emitted = (await emit(what)).trimEnd();
      if (out === undefined || out === "-") print(emitted);
      else await writeClient(out, `${emitted}\n`);
    });
}

async function emit({ js, example }: ClientOptions): Promise<string> {
  if (example === true) {
    const { exampleStore } = await import("#storefront/store-page.ts");
    return exampleStore();
  }
  const { clientScript, clientSource } = await import("#client/emit-client.ts");
  const { document } = await import("#interface.ts");
  return (js === true ? clientScript : clientSource)(document());
}

/** Writes exactly what the command prints. */
async function writeClient(path: string, text: string): Promise<void> {
  const { openOut } = await import("#cli/out-file.ts");
  const file = openOut(path);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
  console.error(`Wrote ${path}.`);
}
