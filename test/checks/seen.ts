// What checks look at in a test: a shop, with parts in place of what its machine has.

import type { Check, Finding, Served } from "#checks/check.ts";
import { type Config, parseConfig } from "#platform/config/config.ts";
import type { Mode } from "#platform/database/shop.ts";

import { MORNING_MS, type TestShop } from "../support/shop.ts";

export type Settings = Readonly<Record<string, string>>;

export interface SeenTerms extends Partial<Omit<Served, "config">> {
  readonly settings?: Settings;
}

const GIB = 1_073_741_824;

/** The settings of the shop's program beside these. */
export function configOf(shop: TestShop, settings: Settings = {}): Config {
  return parseConfig({ DUKA_DATA_DIR: shop.folder.path, ...settings });
}

/** A healthy server of the shop, but for what is told of it. */
export function seenAt(shop: TestShop, { settings, ...parts }: SeenTerms = {}): Served {
  const mode: Mode = parts.mode ?? "live";
  return {
    config: configOf(shop, settings),
    mode,
    now: () => MORNING_MS,
    servedAt: shop.url,
    isWritable: true,
    readDisk: () => ({ free: 50 * GIB, total: 100 * GIB }),
    db: shop.duka.shops[mode].database.read,
    live: shop.live.database.read,
    measureSyncs: async () => [1],
    readCertificate: async () => ({ validFrom: 0, validTo: 0, fault: null }),
    findUnsigned: async () => null,
    openFilesMax: 65_536,
    skewMs: 0,
    shopNow: () => MORNING_MS,
    probe: async () => null,
    askGateways: async () => [],
    ...parts,
  };
}

/** The finding of a check that may take its time. */
export async function find<Seen>(check: Check<Seen>, seen: Seen): Promise<Finding> {
  return check.look(seen, new AbortController().signal);
}
