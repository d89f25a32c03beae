// The settings as `duka config` shows them. Invariant: a secret is never among what this file returns.

import type { Config, GivenSetting } from "./config.ts";
import { type Setting, settings, type SettingValue } from "./settings.ts";

/** Says that a secret is set, and not even how long it is. */
const MASK = "********";

export interface ConfigRow {
  readonly name: string;
  /** As it would be written; empty where nothing holds. */
  readonly value: string;
  readonly origin: "default" | GivenSetting["origin"];
  readonly meaning: string;
}

/** Every setting with what holds now and where that came from. */
export function describeConfig(config: Config): ConfigRow[] {
  return Object.values(settings).map((setting: Setting<SettingValue>) => {
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
