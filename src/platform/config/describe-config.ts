// The settings as `duka config` shows them. Invariant: no returned text contains a secret.

import type { Config } from "./config.ts";
import type { GivenSetting } from "./intake.ts";
import type { Setting, SettingValue } from "./setting.ts";
import { allSettings } from "./settings.ts";

/** Shown for a secret that is set; hides its length, too. */
const MASK = "********";

export interface ConfigRow {
  readonly name: string;
  /** The value as it would be written; empty if there is none. */
  readonly value: string;
  readonly origin: "default" | GivenSetting["origin"];
  readonly meaning: string;
}

/** Every setting with its value and its source. */
export function describeConfig(config: Config): ConfigRow[] {
  return allSettings.map((setting) => {
    const given = config.given[setting.name];
    const value = given?.text ?? printDefault(setting);
    return {
      name: setting.name,
      value: given !== undefined && setting.isSecret === true ? MASK : value,
      origin: given?.origin ?? "default",
      meaning: setting.meaning,
    };
  });
}

function printDefault(setting: Setting<SettingValue>): string {
  if (typeof setting.default === "boolean") return setting.default ? "1" : "0";
  return setting.default === null ? "" : String(setting.default);
}
