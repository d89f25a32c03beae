// `duka config`: the value of every setting and where it comes from.

import { describeConfig } from "#platform/config/describe-config.ts";

import { type JsonOptions, readSettings } from "./settings.ts";
import { renderTable } from "./table.ts";

/** Prints the settings; a secret's value is never printed. */
export function showConfig(options: JsonOptions): void {
  const rows = describeConfig(readSettings(options));
  console.log(
    options.json === true
      ? JSON.stringify(rows, null, 2)
      : renderTable(
          ["NAME", "VALUE", "ORIGIN", "MEANING"],
          rows.map((row) => [row.name, row.value || "-", row.origin, row.meaning]),
        ),
  );
}
