// Uses of discounts by orders: limits hold whatever happens at once, a cancelled order gives its uses back, and the
// audit finds what is kept wrongly.

import { describe, expect, test } from "bun:test";

import { isId } from "#kernel/id.ts";
import { auditDiscounts } from "#pricing/discount-uses/audit-discounts.ts";
import { giveBackDiscounts } from "#pricing/discount-uses/claim-discounts.ts";

import { atOnce } from "../../support/at-once.ts";
import { tamper } from "../../support/behind-the-shop.ts";
import { ada } from "../../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { buyWith, summer, summerCode } from "./promotions.ts";

const shop = sharedShop();

const isOrder = (outcome: string) => isId("order", outcome);

/** How many outcomes there are of each kind. */
function tally(outcomes: readonly string[]): Record<string, number> {
  const kinds = outcomes.map((one) => (isOrder(one) ? "ordered" : one));
  return Object.fromEntries(
    [...new Set(kinds)].map((kind) => [kind, kinds.filter((one) => one === kind).length]),
  );
}

async function customer(shop: TestShop) {
  const id = await ada(shop);
  if (!isId("customer", id)) throw new Error(id);
  return id;
}

async function usedCount(shop: TestShop, id: string): Promise<unknown> {
  return (await shop.get(`/v2/discounts/${id}`)).at("/used_count");
}

async function cancel(shop: TestShop, order: string): Promise<void> {
  if (!isId("order", order)) throw new Error(order);
  await shop.test.database.write((tx) => giveBackDiscounts(tx, order));
}

async function differences(shop: TestShop): Promise<string[]> {
  const found = await Array.fromAsync(auditDiscounts(shop.test.database.read));
  return found.map(({ what, expected, found: kept }) => `${what} ${expected} ${kept}`);
}

describe("many orders at once", () => {
  test("take as many uses of a discount as there are", async () => {
    const { id, code } = await summerCode(shop, { usage_limit: 3 });

    const outcomes = await atOnce(10, () => buyWith(shop, [code]));

    expect(tally(outcomes)).toEqual({ ordered: 3, exhausted: 7 });
    expect(await usedCount(shop, id)).toBe(3);
    const announced = (await shop.announced()).map(({ event }) => event);
    expect(announced).toEqual(["discount.created", "discount.exhausted"]);
    expect(await differences(shop)).toEqual([]);
  });

  test("take as many uses of a code as there are", async () => {
    const { id } = await summer(shop);
    await shop.post(`/v2/discounts/${id}/codes`, { codes: ["ONCE"], usage_limit: 1 });

    const outcomes = await atOnce(8, () => buyWith(shop, ["once"]));

    expect(tally(outcomes)).toEqual({ ordered: 1, exhausted: 7 });
    expect(await differences(shop)).toEqual([]);
  });

  test("of one customer take as many uses as the customer has", async () => {
    const { code } = await summerCode(shop, { per_customer_limit: 2 });
    const customerId = await customer(shop);

    const outcomes = await atOnce(8, () => buyWith(shop, [code], customerId));

    expect(tally(outcomes)).toEqual({ ordered: 2, used_by_customer: 6 });
    expect(await differences(shop)).toEqual([]);
  });

  test("with codes of several discounts do not stop one another", async () => {
    await summer(shop, { codes: ["ONE", "OTHER"], usage_limit: 100 });
    await summer(shop, { codes: ["TWO"], usage_limit: 100 });

    const outcomes = await atOnce(10, (index) =>
      buyWith(shop, index % 2 === 0 ? ["ONE", "TWO"] : ["TWO", "OTHER"]),
    );

    expect(tally(outcomes)).toEqual({ ordered: 10 });
    expect(await differences(shop)).toEqual([]);
  });

  test("are all counted when a limit is set meanwhile", async () => {
    const { id, code } = await summerCode(shop);

    const [outcomes, limited] = await Promise.all([
      atOnce(12, () => buyWith(shop, [code])),
      shop.put(`/v2/discounts/${id}`, { usage_limit: 20 }),
    ]);

    expect(tally(outcomes)).toEqual({ ordered: 12 });
    expect(limited.status).toBe(200);
    expect(await usedCount(shop, id)).toBe(12);
    expect(await differences(shop)).toEqual([]);
  });

  test("are all counted when a limit per customer is set meanwhile", async () => {
    const { id, code } = await summerCode(shop);
    const customerId = await customer(shop);

    const [outcomes, limited] = await Promise.all([
      atOnce(6, () => buyWith(shop, [code], customerId)),
      shop.put(`/v2/discounts/${id}`, { per_customer_limit: 20 }),
    ]);

    expect(tally(outcomes)).toEqual({ ordered: 6 });
    expect(limited.status).toBe(200);
    expect(await differences(shop)).toEqual([]);
  });

  test("leave a discount that was deleted meanwhile unused", async () => {
    const { id, code } = await summerCode(shop);

    const [outcomes, deleted] = await Promise.all([
      atOnce(6, () => buyWith(shop, [code])),
      shop.delete(`/v2/discounts/${id}`),
    ]);

    const isGone = deleted.status === 204;
    expect(tally(outcomes)).toEqual(isGone ? { unknown: 6 } : { ordered: 6 });
    expect(await differences(shop)).toEqual([]);
  });
});

describe("a cancelled order", () => {
  test("gives its uses back once, though it is asked twice", async () => {
    const { id, code } = await summerCode(shop, { usage_limit: 2, per_customer_limit: 1 });
    const customerId = await customer(shop);
    const order = await buyWith(shop, [code], customerId);

    await Promise.all([cancel(shop, order), cancel(shop, order)]);
    await cancel(shop, order);

    expect(await usedCount(shop, id)).toBe(0);
    expect(await differences(shop)).toEqual([]);
    expect(isOrder(await buyWith(shop, [code], customerId))).toBe(true);
  });

  test("makes an exhausted discount active, which is exhausted again later", async () => {
    const { id, code } = await summerCode(shop, { usage_limit: 1 });
    const order = await buyWith(shop, [code]);

    await cancel(shop, order);
    const status = (await shop.get(`/v2/discounts/${id}`)).at("/status");
    await buyWith(shop, [code]);

    expect(status).toBe("active");
    const names = (await shop.announced()).map(({ event }) => event);
    expect(names.filter((name) => name === "discount.exhausted")).toHaveLength(2);
  });

  test("gives back the use of a code", async () => {
    const { id } = await summer(shop);
    await shop.post(`/v2/discounts/${id}/codes`, { codes: ["AGAIN"], usage_limit: 1 });

    await cancel(shop, await buyWith(shop, ["AGAIN"]));

    expect(isOrder(await buyWith(shop, ["AGAIN"]))).toBe(true);
    expect(await differences(shop)).toEqual([]);
  });

  test("of a discount without a limit is not counted when a limit is set", async () => {
    const { id, code } = await summerCode(shop);
    const order = await buyWith(shop, [code]);
    await buyWith(shop, [code]);

    await Promise.all([cancel(shop, order), shop.put(`/v2/discounts/${id}`, { usage_limit: 5 })]);

    expect(await usedCount(shop, id)).toBe(1);
    expect(await differences(shop)).toEqual([]);
  });
});

describe("a limit per customer that is set later", () => {
  test("counts what the customer used before", async () => {
    const { id, code } = await summerCode(shop);
    const customerId = await customer(shop);
    await cancel(shop, await buyWith(shop, [code], customerId));
    await buyWith(shop, [code], customerId);

    await shop.put(`/v2/discounts/${id}`, { per_customer_limit: 2 });

    expect(isOrder(await buyWith(shop, [code], customerId))).toBe(true);
    expect(await buyWith(shop, [code], customerId)).toBe("used_by_customer");
    expect(await differences(shop)).toEqual([]);
  });

  test("counts what was used while there was no limit", async () => {
    const { id, code } = await summerCode(shop, { per_customer_limit: 3 });
    const customerId = await customer(shop);
    await buyWith(shop, [code], customerId);
    await shop.put(`/v2/discounts/${id}`, { per_customer_limit: null });
    await buyWith(shop, [code], customerId);

    await shop.put(`/v2/discounts/${id}`, { per_customer_limit: 2 });

    expect(await buyWith(shop, [code], customerId)).toBe("used_by_customer");
    expect(await differences(shop)).toEqual([]);
  });

  test("counts an order that is cancelled meanwhile no longer", async () => {
    const { id, code } = await summerCode(shop);
    const customerId = await customer(shop);
    const order = await buyWith(shop, [code], customerId);
    await buyWith(shop, [code], customerId);

    await Promise.all([
      cancel(shop, order),
      shop.put(`/v2/discounts/${id}`, { per_customer_limit: 2 }),
    ]);

    expect(isOrder(await buyWith(shop, [code], customerId))).toBe(true);
    expect(await differences(shop)).toEqual([]);
  });
});

describe("the audit", () => {
  test.each([
    ["a discount", "UPDATE discounts SET used_count = 4 WHERE usage_limit = 5", ["used_count 1 4"]],
    ["a code", "UPDATE discount_codes SET used_count = 2 WHERE code = 'ONCE'", ["used_count 1 2"]],
    ["a customer", "UPDATE discount_buyers SET uses = 3", ["uses 1 3"]],
    ["a customer of whom nothing is kept", "DELETE FROM discount_buyers", ["uses 1 0"]],
    [
      "a customer whose uses have no limit",
      "UPDATE discounts SET per_customer_limit = NULL",
      ["uses none kept"],
    ],
  ])("finds the wrong uses of %s", async (_, statement, wrong) => {
    await using shop = await openTestShop();
    const { id } = await summer(shop, { usage_limit: 5 });
    await shop.post(`/v2/discounts/${id}/codes`, { codes: ["ONCE"], usage_limit: 4 });
    const customerId = await customer(shop);
    await summer(shop, { codes: ["OTHER"], per_customer_limit: 9 });
    await buyWith(shop, ["OTHER"], customerId);
    await buyWith(shop, ["ONCE"], customerId);
    const before = await differences(shop);

    await tamper(shop.folder.path, statement);

    expect(before).toEqual([]);
    const found = (await differences(shop)).map((one) => one.replace(/ of cus_\w+/, ""));
    expect(found).toEqual(wrong);
  });
});
