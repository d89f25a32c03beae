// Checks of what the merchant gives the shop before it can sell. They read its own tables alone; what the facts mean is
// decided by `readiness.ts`.

import { findProducts, hasShippedGoods } from "#catalog/products/lookups.ts";
import { findDelivery } from "#pricing/shipping/lookups.ts";
import { listOrders } from "#sales/history/list-orders.ts";
import { alertRulesOf } from "#shop/people/alert-rules.ts";
import { listPeople } from "#shop/people/lookups.ts";
import type { Person } from "#shop/people/person.ts";
import { listReached } from "#shop/people/sessions/subscriptions.ts";
import { getStore } from "#shop/store/lookups.ts";
import { hasTaxRates } from "#shop/taxes/lookups.ts";

import type { Check, Stored } from "./check.ts";
import { type ShopFacts, shopRows } from "./readiness.ts";

/** Products that are looked at for prices and pictures: those of today stand first in a shop that has more. */
const PRODUCTS_LOOKED_AT = 50;

/** The rows of one list follow from the same facts, which are read once. */
const factsOf = new WeakMap<Stored, Promise<ShopFacts>>();

function readFacts(seen: Stored): Promise<ShopFacts> {
  const known = factsOf.get(seen) ?? findFacts(seen);
  factsOf.set(seen, known);
  return known;
}

async function findFacts({ db, live, mode }: Stored): Promise<ShopFacts> {
  const people = await listPeople(live);
  const active = { statuses: ["active"], limit: PRODUCTS_LOOKED_AT } as const;
  const { rows: products } = await findProducts(db, active);
  const paid = await listOrders(db, { paidFrom: 0 }, { limit: 1, after: null });
  return {
    mode,
    store: await getStore(db),
    hasOwner: people.some(({ role }) => role === "owner"),
    isTold: await isAnyTold(live, people),
    hasProduct: products.some(({ variants }) => variants.some(({ prices }) => prices.length > 0)),
    hasPicture: products.some(({ images }) => images.length > 0),
    sendsGoods: await hasShippedGoods(db),
    delivery: await findDelivery(db),
    hasTaxRates: await hasTaxRates(db),
    hasPaidOrder: paid.rows.length > 0,
  };
}

/** Returns true if messages about new orders reach some person: in a browser, or at an email that is theirs. */
async function isAnyTold(live: Stored["live"], people: readonly Person[]): Promise<boolean> {
  for (const person of people) {
    const { order: channels } = alertRulesOf(person);
    if (channels.includes("email") && person.emailVerifiedAt !== null) return true;
    if (channels.includes("push") && (await listReached(live, person.id)).length > 0) return true;
  }
  return false;
}

export const shopChecks: readonly Check<Stored>[] = shopRows.map(({ findingOf, ...row }) => ({
  ...row,
  area: "shop",
  look: async (seen) => findingOf(await readFacts(seen)),
}));
