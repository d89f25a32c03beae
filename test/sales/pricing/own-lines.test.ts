// The tax class of lines of the merchant's own, which name no variant.

import { describe, expect, test } from "bun:test";

import { type Answered, openTestShop, type TestShop } from "../../support/shop.ts";
import { place } from "../orders/counter.ts";
import { must, of, shipTo, sold, tax, taxesOf, usd } from "./priced-shop.ts";
import { refused } from "./refused.ts";

const repair = { name: "Repair", unit_price: "100.00", quantity: 1 };

async function german(): Promise<TestShop> {
  const shop = await openTestShop();
  const food = { name: "USt", rate: 7, tax_class: "food" };
  await tax(shop, "DE", { rates: [{ name: "USt", rate: 19 }, food] });
  return shop;
}

function classesOf(order: Answered): unknown[] {
  return order.list("/line_items").map((line) => Object(line).tax_class);
}

describe("a line of the merchant's own", () => {
  test("is taxed by the class that it names, else by the standard one", async () => {
    await using shop = await german();

    const order = await place(shop, [
      { ...repair, name: "Cake", tax_class: "food" },
      { ...repair, name: "Stamps", tax_class: "exempt" },
      repair,
    ]);

    expect(taxesOf(order).toSorted()).toEqual(["USt 10000 1900", "USt 10000 700"]);
    expect(classesOf(order)).toEqual(["food", "exempt", "standard"]);
    const told = (await shop.announced()).find(({ event }) => event === "order.placed");
    expect(told).toMatchObject({ data: { line_items: [{ tax_class: "food" }, {}, {}] } });
  });

  test("keeps its class where a change names none, also once no rate has it", async () => {
    await using shop = await german();
    const rider = await shipTo(shop, ["DE"], { tiers: [{ from: 0, amounts: usd(0) }] });
    const cake = { ...repair, name: "Cake" };
    const order = await place(shop, [{ ...cake, tax_class: "food" }]);
    const rates = (await shop.get("/v2/tax-rates")).list("/data").map((one) => Object(one));
    const food = rates.find(({ tax_class }) => tax_class === "food");
    must(await shop.put(`/v2/tax-rates/${food.id}`, { valid_until: food.valid_from }), 200);

    const more = await shop.put(`/v2/orders/${order.id}`, {
      line_items: [{ ...cake, quantity: 2 }],
    });
    const named = await shop.put(`/v2/orders/${order.id}`, {
      line_items: [{ ...cake, tax_class: "food", quantity: 3 }],
    });
    const shipped = await shop.put(`/v2/orders/${order.id}`, { shipping: { rate_id: rider } });

    expect(taxesOf(must(more, 200))).toEqual(["USt 20000 1400"]);
    expect(taxesOf(must(named, 200))).toEqual(["USt 30000 2100"]);
    expect(taxesOf(must(shipped, 200))[0]).toBe("USt 30000 2100");
  });

  test("is taxed anew where a change names another class", async () => {
    await using shop = await german();
    const order = await place(shop, [repair]);

    const changed = await shop.put(`/v2/orders/${order.id}`, {
      line_items: [{ ...repair, tax_class: "food" }],
    });

    expect(taxesOf(must(changed, 200))).toEqual(["USt 10000 700"]);
    expect(classesOf(changed)).toEqual(["food"]);
  });

  test("is refused with a class that no rate has, with every other fault", async () => {
    await using shop = await german();
    const cup = await sold(shop, 10);
    const line_items = [
      of(cup),
      { ...repair, tax_class: "toys" },
      { ...repair, unit_price: "0.001" },
    ];

    const answer = await refused(shop, () => shop.post("/v2/orders", { line_items }));

    expect(answer.faults.toSorted()).toEqual([
      "#/line_items/1/tax_class unknown_tax_class",
      "#/line_items/2/unit_price amount_precision",
    ]);
  });

  test("alone has a class of its own: a variant has that of its product", async () => {
    await using shop = await german();
    const line_items = [{ ...of(await sold(shop, 10)), tax_class: "food" }];

    const answer = await refused(shop, () => shop.post("/v2/orders", { line_items }));

    expect(answer.faults).toEqual(["#/line_items/0/tax_class conflicting_fields"]);
  });
});
