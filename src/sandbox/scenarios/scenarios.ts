// The scenarios of a sandbox: what goes wrong, or goes very well, on a day of trade. Each is set up by the shop's own
// stories, so that it is a state that a shop can reach.

import { walkLevels } from "#catalog/inventory/lookups.ts";
import { setStock } from "#catalog/inventory/set-stock.ts";
import { HOUR_MS, toIso } from "#kernel/time.ts";
import { createWebhook } from "#messaging/webhooks/endpoints/update-webhook.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Reach } from "#platform/net/target-url.ts";
import { createDiscount } from "#pricing/discounts/create-discount.ts";
import { readNewDiscount } from "#pricing/discounts/request-schema.ts";
import { inboxPath } from "#sandbox/inbox/inbox.ts";
import type { ScriptBook } from "#sandbox/simulated-gateway/script.ts";

import type { ScenarioName } from "./scenario-list.ts";
import { slowBook } from "./slow-book.ts";

export interface ScenarioTerms {
  readonly publicUrl: string;
  readonly testReach: Reach;
}

export interface Scenario {
  /** How the simulated gateway plays; as the magic values say by default. */
  readonly book?: ScriptBook;
  /** Sets the shop up. */
  readonly set?: (tx: Tx, terms: ScenarioTerms) => Promise<void>;
}

const LEFT = 2;
const THRESHOLD = 5;
const FLASH_PERCENT = 50;

export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  "slow-gateway": {
    book: slowBook,
  },
  "low-stock": {
    set: lowerStock,
  },
  "flash-sale": {
    set: startFlashSale,
  },
  "webhook-down": {
    set: addFailingWebhook,
  },
};

async function lowerStock(tx: Tx): Promise<void> {
  // Read first: a statement that still runs must not see its own changes.
  const variantIds = await Array.fromAsync(walkLevels(tx), ({ variantId }) => variantId);
  for (const [index, variantId] of variantIds.entries()) {
    const change = { onHand: index === 0 ? 0 : LEFT, lowStockThreshold: THRESHOLD };
    await setStock(tx, variantId, { change, expected: null });
  }
}

async function startFlashSale(tx: Tx): Promise<void> {
  const ends = { ends_at: toIso(tx.now + HOUR_MS) };
  const sale = { title: "Flash sale", target: "lines", percent: FLASH_PERCENT, ...ends } as const;
  await createDiscount(tx, readNewDiscount(sale));
}

async function addFailingWebhook(tx: Tx, { publicUrl, testReach }: ScenarioTerms): Promise<void> {
  const url = `${publicUrl}${inboxPath("down")}?status=503`;
  await createWebhook(tx, { url }, { mode: "test", publicUrl, testReach });
}
