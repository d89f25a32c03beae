// Gives a sandbox what it sells, its scenario and its keys, once.

import type { Config } from "#platform/config/config.ts";
import type { Tx } from "#platform/database/database.ts";
import { replaceText } from "#platform/database/sqlite/replace-text.ts";
import { scenarios } from "#sandbox/scenarios/scenarios.ts";
import { seedSmall } from "#sandbox/seed/seed-small.ts";
import type { Duka } from "#server.ts";
import { createKey } from "#shop/keys/create-key.ts";

import { TEMPLATE_URL } from "./make-seeded.ts";
import type { SandboxMemory } from "./sandbox-folder.ts";

type Filling = Pick<SandboxMemory, "seed" | "scenario">;

/** Returns what the sandbox is to remember. */
export async function fillSandbox(
  { url, shops: { test }, firstKey }: Duka,
  { seed, scenario }: Filling,
  { testReach }: Pick<Config, "testReach">,
): Promise<SandboxMemory> {
  if (firstKey === null) throw new Error("A new sandbox has a key already.");
  if (seed === "full") await moveAddress(test, { from: TEMPLATE_URL, to: url });
  const publishableKey = await test.database.write(async (tx) => {
    if (seed === "small") await seedSmall(tx, url);
    if (scenario !== null) await scenarios[scenario].set?.(tx, { publicUrl: url, testReach });
    return makeStorefrontKey(tx);
  });
  return { key: firstKey, publishableKey, seed, scenario, url };
}

/** Puts the address at which the server is now in the place of another one, wherever it stands in the shop. */
export async function moveAddress(
  { database }: Duka["shops"]["test"],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  if (from !== to) await database.whileClosed?.((path) => replaceText(path, from, to));
}

async function makeStorefrontKey(tx: Tx): Promise<string> {
  const { key } = await createKey(tx, {
    mode: "test",
    name: "Storefront",
    kind: "publishable",
    scopes: null,
    ratePerMinute: null,
    expiresAt: null,
    maker: null,
    replaces: null,
    isFirst: true,
  });
  return key;
}
