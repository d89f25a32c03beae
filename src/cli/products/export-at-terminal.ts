// `duka export products`: writes the products of the shop as a file that `duka import products` takes.

import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { openAdministration } from "#cli/operator/administer.ts";
import { readSettings, type SettingOptions } from "#cli/operator/settings.ts";
import type { Mode } from "#platform/database/shop.ts";

import { exportRows } from "./export-rows.ts";

export interface ExportOptions extends SettingOptions {
  readonly mode: Mode;
  readonly out?: string;
}

/** Writes the file, or prints it without --out. */
export async function exportAtTerminal({ mode, out, ...options }: ExportOptions): Promise<void> {
  await using shop = openAdministration(readSettings(options));
  const rows = exportRows(shop, mode);
  if (out === undefined) {
    // It ends the line, and unlike process.stdout does not throw when the reader has gone, as in `| head`.
    for await (const row of rows) console.log(row.replace(/\n$/, ""));
    return;
  }
  await pipeline(Readable.from(rows), createWriteStream(out));
  console.log(`The products of the ${mode} shop are in ${out}, with a row for each variant.`);
}
