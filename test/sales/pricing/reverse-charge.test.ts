// The reverse charge in a shop of the European Union: it needs a VAT number of another member state, and an address there.

import { describe, expect, test } from "bun:test";

import { openTestShop, type TestShop } from "../../support/shop.ts";
import { basket, change } from "../carts/basket.ts";
import { place } from "../orders/counter.ts";
import { accra, berlin, must, of, paris, sold, tax, totalsOf } from "./priced-shop.ts";
import { refused } from "./refused.ts";

const belfast = { line1: "1 Quay", city: "Belfast", postal_code: "BT1 5GS", country: "GB" };
const london = { ...belfast, city: "London", postal_code: "SW1A 1AA" };
const athens = { line1: "Ermou 1", city: "Athens", country: "GR" };

async function german(): Promise<TestShop> {
  const shop = await openTestShop();
  await tax(shop, "DE", { rates: [{ name: "USt", rate: 19 }] });
  for (const country of ["FR", "GR", "GB"]) {
    must(await shop.post("/v2/tax-rates", { country, name: "VAT", rate: 20 }), 201);
  }
  return shop;
}

async function business(shop: TestShop, terms: object = {}): Promise<string> {
  const record = { tax_exemption: "reverse_charge", tax_id: "FR12345678901", ...terms };
  return must(await shop.post("/v2/customers", { email: "ada@example.com", ...record }), 201).id;
}

describe("an order that asks for the reverse charge", () => {
  test.each([
    ["FR 12 345678901", { shipping_address: paris }],
    ["FR12345678901", { billing_address: paris }],
    ["FR12345678901", { shipping_address: paris, billing_address: berlin }],
    ["EL123456789", { shipping_address: athens }],
    ["XI123456789", { shipping_address: belfast }],
  ])("has no tax with the number %s and an address there", async (taxId, addresses) => {
    await using shop = await german();
    const terms = { tax_exemption: "reverse_charge", tax_id: taxId, ...addresses };

    const order = await place(shop, [of(await sold(shop, 100))], terms);

    expect(order.at("/tax_exemption")).toBe("reverse_charge");
    expect(totalsOf(order)).toMatchObject({ tax: 0, total: 10_000 });
  });

  test.each<[string, object, string[]]>([
    ["no number", { shipping_address: paris }, ["#/tax_id tax_id_invalid"]],
    [
      "a number of no member state",
      { shipping_address: paris, tax_id: "FR1" },
      ["#/tax_id tax_id_invalid"],
    ],
    [
      "a number of another country than the address",
      { shipping_address: athens, tax_id: "FR12345678901" },
      ["#/tax_id tax_id_invalid"],
    ],
    [
      "a number of Northern Ireland and an address in Great Britain",
      { shipping_address: london, tax_id: "XI123456789" },
      ["#/tax_id tax_id_invalid"],
    ],
    [
      "an address outside of the Union",
      { shipping_address: accra, tax_id: "FR12345678901" },
      ["#/tax_id tax_id_invalid"],
    ],
    [
      "a number of the shop's country",
      { shipping_address: paris, tax_id: "DE123456789" },
      ["#/tax_id reverse_charge_domestic"],
    ],
    [
      "an address in the shop's country",
      { shipping_address: berlin, billing_address: paris, tax_id: "FR12345678901" },
      ["#/shipping_address/country reverse_charge_domestic"],
    ],
    [
      "a billing address in the shop's country",
      { billing_address: berlin, tax_id: "FR12345678901" },
      ["#/billing_address/country reverse_charge_domestic"],
    ],
    [
      "no address and no number",
      {},
      ["#/shipping_address reverse_charge_domestic", "#/tax_id tax_id_invalid"],
    ],
    [
      "a number and an address of the shop's country",
      { shipping_address: berlin, tax_id: "DE123456789" },
      ["#/shipping_address/country reverse_charge_domestic", "#/tax_id reverse_charge_domestic"],
    ],
  ])("is refused with %s", async (_, terms, faults) => {
    await using shop = await german();
    const line_items = [of(await sold(shop, 100))];

    const answer = await refused(shop, () =>
      shop.post("/v2/orders", { line_items, tax_exemption: "reverse_charge", ...terms }),
    );

    expect([answer.status, answer.faults.toSorted()]).toEqual([422, faults]);
  });

  test("is refused for goods that are fetched in the shop's country", async () => {
    await using shop = await german();
    const location = { name: "Shop", address: berlin };
    const { id } = must(await shop.post("/v2/pickup-locations", location), 201);
    const line_items = [of(await sold(shop, 100))];
    const terms = { tax_exemption: "reverse_charge", tax_id: "FR12345678901" };
    const fetched = { billing_address: paris, shipping: { pickup_location_id: id } };

    const answer = await refused(shop, () =>
      shop.post("/v2/orders", { line_items, ...terms, ...fetched }),
    );

    expect(answer.faults).toEqual(["#/shipping/pickup_location_id reverse_charge_domestic"]);
  });

  test("has the number of the customer's record", async () => {
    await using shop = await german();
    const customer_id = await business(shop, { tax_exemption: "none" });
    const terms = { customer_id, tax_exemption: "reverse_charge", shipping_address: paris };

    const order = await place(shop, [of(await sold(shop, 100))], terms);

    expect(order.body).toMatchObject({ tax_id: "FR12345678901", tax_total: 0 });
  });

  test("needs neither in a shop outside of the Union", async () => {
    await using shop = await openTestShop();
    await tax(shop, "GH", { rates: [{ name: "VAT", rate: 15 }] });

    const order = await place(shop, [of(await sold(shop, 100))], {
      tax_exemption: "reverse_charge",
    });

    expect(order.body).toMatchObject({ tax_exemption: "reverse_charge", tax_total: 0 });
  });
});

describe("a customer whose record has the reverse charge", () => {
  test("pays no tax where the order goes to the country of their number, and else as usual", async () => {
    await using shop = await german();
    const customer_id = await business(shop);
    const lines = [of(await sold(shop, 100))];

    const there = await place(shop, lines, { customer_id, shipping_address: paris });
    const home = await place(shop, lines, { customer_id, shipping_address: berlin });
    const elsewhere = await place(shop, lines, { customer_id, shipping_address: athens });

    expect(there.body).toMatchObject({ tax_exemption: "reverse_charge", tax_total: 0 });
    expect(home.body).toMatchObject({ tax_exemption: "none", tax_total: 19 });
    expect(elsewhere.body).toMatchObject({ tax_exemption: "none", tax_total: 20 });
  });

  test("is not refused at the checkout, and is charged what the cart showed", async () => {
    await using shop = await german();
    const customer_id = await business(shop, { tax_id: "none yet" });
    const cart = await basket(shop, [of(await sold(shop, 100))], { customer_id });

    const without = await change(shop, cart, { shipping_address: paris });
    const named = await change(shop, cart, { tax_id: "FR98765432109" });
    const emptied = await change(shop, cart, { tax_id: null });
    const expected_total = emptied.at("/total");
    const order = await shop.post(`/v2/carts/${cart.id}/complete`, { expected_total });

    expect([without, named, emptied].map((one) => totalsOf(one).tax)).toEqual([2000, 0, 2000]);
    expect(must(order, 201).body).toMatchObject({ tax_exemption: "none", tax_total: 20 });
  });
});
