// `duka export`: writes products, customers, orders or their lines as a file for spreadsheets.

import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { openAdministration } from "#cli/operator/administer.ts";
import { readSettings, type SettingOptions, UsageFault } from "#cli/operator/settings.ts";
import { openOut } from "#cli/out-file.ts";
import type { Mode } from "#platform/database/shop.ts";
import { print } from "#platform/process/output.ts";
import { isDay } from "#sheets/order-sheet.ts";

import { type Exported, exportSheet } from "./export-sheet.ts";

export interface ExportOptions extends SettingOptions {
  readonly mode: Mode;
  readonly out?: string;
  /** Days of orders. */
  readonly from?: string | null;
  readonly to?: string | null;
}

const rowFor: Readonly<Record<Exported, string>> = {
  products: "a row for each variant",
  customers: "a row for each address",
  orders: "a row for each tax, and those of refunds below their order",
  "order-lines": "a row for each line",
};

/** Writes the file, or prints it without --out and for `-`. */
export async function exportAtTerminal(
  what: Exported,
  { mode, out, from = null, to = null, ...options }: ExportOptions,
): Promise<void> {
  for (const [name, day] of Object.entries({ from, to })) {
    if (day === null || isDay(day)) continue;
    throw new UsageFault(`--${name} must be a day such as 2026-01-31, not "${day}".`);
  }
  await using shop = openAdministration(readSettings(options));
  const parts = exportSheet(shop, what, { mode, from, to });
  if (out === undefined || out === "-") {
    for await (const part of parts) if (!print(part.replace(/\n$/, ""))) return;
    return;
  }
  await pipeline(Readable.from(parts), createWriteStream(out, { fd: openOut(out) }));
  print(`The ${what} of the ${mode} shop are in ${out}, with ${rowFor[what]}.`);
}
