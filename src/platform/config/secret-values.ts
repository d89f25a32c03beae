// The values of secret settings, for a log that shows none of them.

import type { Setting, SettingValue } from "./setting.ts";
import { settings } from "./settings.ts";

/** The values that are given; of several keys each on its own, too. */
export function secretValues(given: Readonly<Record<string, { readonly text: string }>>): string[] {
  const texts = Object.values<Setting<SettingValue>>(settings)
    .filter(({ isSecret }) => isSecret === true)
    .flatMap(({ name }) => given[name]?.text ?? []);
  const keys = given[settings.secretKey.name]?.text.split(",") ?? [];
  return [...new Set([...texts, ...keys.map((key) => key.trim())])];
}
