// A return names the order that was placed in exchange.

import { describe, expect, test } from "bun:test";

import { mug } from "../../support/cast.ts";
import { type Answered, openTestShop, type TestShop } from "../../support/shop.ts";
import { fulfill, of, place } from "../orders/counter.ts";

/** A shop with an order that was shipped, and one that could be its exchange. */
async function openExchange() {
  const shop = await openTestShop();
  const cup = await mug(shop);
  const [sold, other] = [await place(shop, [of(cup)]), await place(shop, [of(cup)])];
  await fulfill(shop, sold);
  return { shop, sold, other };
}

function takeBack(shop: TestShop, sold: Answered, exchange: unknown): Promise<Answered> {
  const lines = [{ line_item_id: sold.at("/line_items/0/id"), quantity: 1 }];
  return shop.post(`/v2/orders/${sold.id}/returns`, {
    line_items: lines,
    exchange_order_id: exchange,
  });
}

test("a return tells which order was placed in exchange", async () => {
  const { shop: opened, sold, other } = await openExchange();
  await using shop = opened;

  await takeBack(shop, sold, other.id);

  const returns = await shop.get(`/v2/orders/${sold.id}/returns`);
  expect(returns.list("/data")).toMatchObject([{ exchange_order_id: other.id }]);
});

describe("a return is refused in exchange", () => {
  test("for an order that does not exist", async () => {
    const { shop: opened, sold } = await openExchange();
    await using shop = opened;

    const refused = await takeBack(shop, sold, "ord_01h455vb4pex5vsknk084sn02q");

    expect(refused.faults).toEqual(["#/exchange_order_id unknown_order"]);
  });

  test("for the order itself", async () => {
    const { shop: opened, sold } = await openExchange();
    await using shop = opened;

    const refused = await takeBack(shop, sold, sold.id);

    expect(refused.faults).toEqual(["#/exchange_order_id invalid_choice"]);
  });
});
