// What the carrier tells by the tracking of a shipment leads to the customer, so an erasure takes it as well.

import { expect, test } from "bun:test";

import { fulfill, of, place, reread } from "../sales/orders/counter.ts";
import { tamper } from "../support/behind-the-shop.ts";
import { ada, mug } from "../support/cast.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

const TRACKING = { carrier: "DHL", number: "JD0146", url: "https://example.com/JD0146" };

/** A free order of Ada's, which is complete once it is sent. */
async function orderOfAda(shop: TestShop) {
  const customer = await ada(shop);
  return {
    customer,
    order: await place(shop, [of(await mug(shop, { price: 0 }))], { customer_id: customer }),
  };
}

test("an erased customer is redacted in the tracking of shipments, and in its events", async () => {
  await using shop = await openTestShop();
  const { customer, order } = await orderOfAda(shop);
  const sent = await shop.put(`/v2/orders/${order.id}/fulfill`, { tracking: TRACKING });

  await shop.post(`/v2/customers/${customer}/erase`);

  expect(sent.at("/fulfillments/0/tracking")).toEqual(TRACKING);
  expect((await reread(shop, order)).at("/fulfillments/0/tracking")).toBe(null);
  expect(JSON.stringify(await shop.events())).not.toContain(TRACKING.number);
});

test("a customer whom an earlier version erased without the tracking loses it when erased again", async () => {
  await using shop = await openTestShop();
  const { customer, order } = await orderOfAda(shop);
  await fulfill(shop, order);
  await shop.post(`/v2/customers/${customer}/erase`);
  await tamper(
    shop.folder.path,
    `UPDATE fulfillments SET tracking = '${JSON.stringify(TRACKING)}'`,
  );
  const before = await reread(shop, order);

  await shop.post(`/v2/customers/${customer}/erase`);

  const after = await reread(shop, order);
  expect(after.at("/fulfillments/0/tracking")).toBe(null);
  expect(after.number("/version")).toBe(before.number("/version") + 1);
});
