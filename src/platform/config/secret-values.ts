// The values of secret settings, for a log that shows none of them.

import type { GivenSetting } from "./intake.ts";
import type { GivenVendor } from "./read-vendors.ts";
import { allSettings, settings } from "./settings.ts";

/** The values that are given, those in files included; of several in one setting each on its own, too. */
export function secretValues(
  given: Readonly<Record<string, Pick<GivenSetting, "text">>>,
  vendors: Readonly<Record<string, GivenVendor>>,
): string[] {
  const texts = allSettings
    .filter(({ isSecret }) => isSecret === true)
    .flatMap(({ name }) => given[name]?.text ?? []);
  const ofVendors = Object.values(vendors)
    .flatMap(({ secret, webhookSecret }) => [secret, webhookSecret])
    .flatMap(({ test, live }) => [test?.text ?? [], live?.text ?? []].flat());
  const several = [given[settings.secretKey.name]?.text ?? "", ...ofVendors];
  const parts = several.flatMap((text) => text.split(",").map((part) => part.trim()));
  return [...new Set([...texts, ...ofVendors, ...parts])].filter((text) => text !== "");
}
