// `duka client`: the typed client of this version, without a server.

import { writeFileSync } from "node:fs";

import type { Command } from "commander";

import { clientScript, clientSource } from "#client/emit-client.ts";
import { document } from "#interface.ts";

import { UsageFault } from "./operator/settings.ts";

interface ClientOptions {
  readonly js?: true;
  readonly out?: string;
}

/** Adds the command to the program. */
export function addClient(program: Command): void {
  program
    .command("client")
    .description("print the typed client, one file without dependencies")
    .option("--js", "print JavaScript instead of TypeScript")
    .option("--out <file>", "write the file instead of printing it; replaces an earlier one")
    .action(({ js, out }: ClientOptions) => {
      const emitted = (js === true ? clientScript : clientSource)(document()).trimEnd();
      if (out === undefined) console.log(emitted);
      else writeClient(out, `${emitted}\n`);
    });
}

/** Writes exactly what the command prints. */
function writeClient(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new UsageFault(`--out: ${path} cannot be written (${String(error.code)})`);
  }
  console.error(`Wrote ${path}.`);
}
