// A page behind a link asks a phone as often as a publishable key may.

import { expect, test } from "bun:test";

import { openScriptedShop } from "../payments/scripted-shop.ts";
import { of, place } from "../sales/orders/counter.ts";
import { type Goods, mug } from "../support/cast.ts";
import type { TestShop } from "../support/shop.ts";

const HOUR_MS = 3_600_000;

/** A shop whose test mode has the bounds of live mode, and one cup to sell. */
async function openBoundShop(enforce_limits = true) {
  const { shop } = await openScriptedShop();
  await shop.put("/v2/store", { enforce_limits });
  return { shop, cup: await mug(shop, { stock: 100 }) };
}

/** Asks a phone from the page of a new order. */
async function askFromPage(shop: TestShop, cup: Goods, phone = "+233201234567") {
  const order = await place(shop, [of(cup)], { payment_method: "gateway" });
  const body = new URLSearchParams({ method: "mobile_money", phone });
  const url = order.string("/status_url");
  const answer = await fetch(url, { method: "POST", redirect: "manual", body });
  return { status: answer.status, page: await answer.text(), order };
}

test("a phone is asked at most five times an hour from pages of orders", async () => {
  const { shop, cup } = await openBoundShop();
  await using _ = shop;
  const asked = [];
  for (let nth = 0; nth < 5; nth += 1) asked.push((await askFromPage(shop, cup)).status);

  const refused = await askFromPage(shop, cup);
  const other = await askFromPage(shop, cup, "+233500000000");

  expect([...asked, refused.status, other.status]).toEqual([303, 303, 303, 303, 303, 429, 303]);
  expect(refused.page).toContain("This phone was asked to pay too often in the last hour.");
  const payments = await shop.get(`/v2/payments?order_id=${refused.order.id}`);
  expect(payments.at("/data")).toEqual([]);
});

test("a phone is asked again from a page when an hour has passed", async () => {
  const { shop, cup } = await openBoundShop();
  await using _ = shop;
  for (let nth = 0; nth < 5; nth += 1) await askFromPage(shop, cup);
  shop.clock.advance(HOUR_MS);

  expect((await askFromPage(shop, cup)).status).toBe(303);
});

test("a phone is not asked more often by pages at once", async () => {
  const { shop, cup } = await openBoundShop();
  await using _ = shop;

  const asked = await Promise.all(Array.from({ length: 8 }, () => askFromPage(shop, cup)));

  const statuses = asked.map(({ status }) => status).toSorted((one, other) => one - other);
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429, 429, 429]);
});

test("a page asks as often as a test shop likes that enforces no limits", async () => {
  const { shop, cup } = await openBoundShop(false);
  await using _ = shop;
  for (let nth = 0; nth < 5; nth += 1) await askFromPage(shop, cup);

  expect((await askFromPage(shop, cup)).status).toBe(303);
});
