// The scenarios of a sandbox: what goes wrong, or goes very well, on a day of trade. Each is set up by the shop's own
// stories, so that it is a state that a shop can reach.

import { walkLevels } from "#catalog/inventory/lookups.ts";
import { setStock } from "#catalog/inventory/set-stock.ts";
import { HOUR_MS, toIso } from "#kernel/time.ts";
import { createWebhook } from "#messaging/webhooks/endpoints/update-webhook.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Reach } from "#platform/net/target-url.ts";
import { readNewDiscount } from "#pricing/discounts/request-schema.ts";
import { createDiscount } from "#pricing/discounts/update-discount.ts";
import { inboxPath } from "#sandbox/inbox/inbox.ts";
import { magicBook } from "#sandbox/simulated-gateway/magic.ts";
import type { Script, ScriptBook, Step } from "#sandbox/simulated-gateway/script.ts";

import type { ScenarioName } from "./scenario-list.ts";

// A gateway that takes its time: what the magic values do at once, they do half a minute later.

/** Seconds of the shop's clock. */
const LATER = 30;

/** The magic values, each as slow as a busy gateway. */
const slowBook: ScriptBook = {
  ofCard: (token) => {
    const script = magicBook.ofCard(token);
    return script === null ? null : slowed(script);
  },
  ofPhone: (phone) => slowed(magicBook.ofPhone(phone)),
  ofPage: magicBook.ofPage,
};

function slowed(script: Script): Script {
  return { ...script, steps: script.steps.flatMap(later) };
}

/** A step that is answered at once needs no notice; half a minute later it does. */
function later(step: Step): Step[] {
  const slow = { ...step, afterSeconds: step.afterSeconds + LATER };
  if (step.afterSeconds > 0 || !("becomes" in step)) return [slow];
  return [slow, { afterSeconds: LATER, pushes: step.becomes.state }];
}

interface ScenarioTerms {
  readonly publicUrl: string;
  readonly testReach: Reach;
}

interface Scenario {
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
