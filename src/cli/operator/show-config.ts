// `duka config`: what every setting is now and where that came from.

import { describeConfig } from "#platform/config/describe-config.ts";

import { readSettings, type SettingOptions } from "./settings.ts";
import { renderTable } from "./table.ts";

/** Prints the settings; of a secret only that it is set. */
export function showConfig(options: SettingOptions & { readonly json?: true }): void {
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
