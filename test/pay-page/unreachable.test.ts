// A database that cannot be reached ends no link: customers read that they may try again, and then can.

import { expect, test } from "bun:test";

import { openScriptedShop } from "../payments/scripted-shop.ts";
import { of, place } from "../sales/orders/counter.ts";
import { unreachable } from "../support/unreachable.ts";
import { abandonedMugs, press } from "./abandoned-baskets.ts";

const SAID = "Something went wrong on our side. Please try again later.";

test("no link of a cart, an order or a payment expires while the database is away", async () => {
  const { shop: opened, gateway } = await openScriptedShop();
  await using shop = opened;
  const { cup, url: cartUrl } = await abandonedMugs(shop);
  const order = await place(shop, [of(cup)], { payment_method: "gateway" });
  await shop.post("/v2/payments/initialize", { amount: 12.5, currency: "USD", method: "gateway" });
  const [charge] = gateway.charges.values();
  const urls = [cartUrl, order.string("/status_url"), String(charge?.attempt.returnUrl)];

  const outage = unreachable(shop.test.database);
  const during = await Promise.all(urls.map((url) => fetch(url)));
  const pages = await Promise.all(during.map((answer) => answer.text()));
  outage[Symbol.dispose]();
  const after = await Promise.all(urls.map((url) => fetch(url)));

  expect(during.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(pages.map((page) => page.includes(SAID))).toEqual([true, true, true]);
  expect(after.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test("a button that was pressed while the database was away can be pressed again", async () => {
  const { shop: opened } = await openScriptedShop();
  await using shop = opened;
  const { url } = await abandonedMugs(shop);

  const outage = unreachable(shop.test.database);
  const during = await press(url);
  outage[Symbol.dispose]();
  const after = await press(url);

  expect([during.status, after.status]).toEqual([503, 303]);
});
