// The seeded test shop: its products, prices and customers, the same each time.

import { beforeAll, describe, expect, test } from "bun:test";

import { currencyCodes, exponentOf, isCurrency } from "#kernel/currency.ts";
import { localPrice } from "#sandbox/seed/seed-prices.ts";

import { type Answered, openTestShop, sharedShop, type TestShop } from "../support/shop.ts";

/** All products with prices, newest first, without ids and times. */
async function catalogOf(shop: TestShop): Promise<unknown> {
  const { body } = await shop.get("/v2/products?limit=100");
  return JSON.parse(
    JSON.stringify(body)
      .replaceAll(shop.url, "")
      .replaceAll(/"(id|product_id|next_cursor)":"[^"]*",?/g, ""),
  );
}

/** Seeded once: tests that use it change nothing. */
const seeded = sharedShop();
let answer: Answered;
let announced: string[];

beforeAll(async () => {
  answer = await seeded.post("/v2/test/seed");
  announced = await seeded.announcedNames();
});

test("a seeded shop has a dozen products with stock, and customers", async () => {
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    currency: "USD",
    products: { count: 12 },
    variants: { count: 25 },
    customers: { count: 20 },
    orders: { count: 71 },
    carts: { count: 11 },
  });
  const products = await seeded.get("/v2/products?limit=100");
  const people = await seeded.get("/v2/customers?limit=100");
  expect(products.list("/data")).toHaveLength(12);
  expect(people.list("/data")).toHaveLength(20);
  expect(people.at("/data/0")).toMatchObject({
    email: "ibrahim.yakubu@example.com",
    phone: "+233551234920",
    name: "Ibrahim Yakubu",
    addresses: [{ city: "Accra", country: "GH" }],
  });
  expect(answer.list("/variants/ids")).toEqual(
    products
      .list("/data")
      .toReversed()
      .flatMap((product) => Object(product).variants)
      .map(({ id }) => id),
  );
});

test("every seeded object emits its event", () => {
  const count = (wanted: string) => announced.filter((name) => name === wanted).length;

  expect([count("product.created"), count("customer.created")]).toEqual([12, 20]);
  expect(count("order.placed")).toBe(71);
});

test("two seeded shops are equal", async () => {
  await using other = await openTestShop();

  await other.post("/v2/test/seed");

  expect(await catalogOf(other)).toEqual(await catalogOf(seeded));
});

test("a shop that sells everything for nothing is seeded, and its events can be triggered", async () => {
  await using shop = await openTestShop();
  const all = { percent: 100, stackable: true };
  await shop.post("/v2/discounts", { ...all, title: "Goods", target: "order" });
  await shop.post("/v2/discounts", { ...all, title: "Shipping", target: "shipping" });

  const triggered = await shop.post("/v2/test/trigger", { event: "payment.succeeded" });
  const made = await shop.post("/v2/test/seed");

  expect([triggered.status, made.status]).toEqual([200, 200]);
  expect((await shop.get("/v2/orders?payment_status=unpaid")).list("/data")).toEqual([]);
});

test("seeding twice is refused and duplicates nothing", async () => {
  const refused = await seeded.post("/v2/test/seed", { currency: "KES" });

  expect([refused.status, refused.code]).toEqual([409, "already_seeded"]);
  expect(refused.at("/detail")).toBe("The shop already contains seeded objects. Reset it first.");
  expect((await seeded.get("/v2/products?limit=100")).list("/data")).toHaveLength(12);
  expect(await seeded.announced()).toEqual([]);
});

test("a shop that has one of the objects stays as it is", async () => {
  await using shop = await openTestShop();
  await shop.post("/v2/customers", { phone: "+233551234920" });
  await shop.announced();

  const refused = await shop.post("/v2/test/seed");

  expect(refused.code).toBe("already_seeded");
  expect((await shop.get("/v2/products")).list("/data")).toEqual([]);
  expect((await shop.get("/v2/orders")).list("/data")).toEqual([]);
  expect(await shop.announced()).toEqual([]);
});

describe("prices suit the currency", () => {
  test.each([
    ["UGX", "28000"],
    ["KES", "980.00"],
    ["GHS", "90.00"],
    ["USD", "7.50"],
    ["KWD", "2.250"],
  ])("of %s", async (currency, price) => {
    await using shop = await openTestShop();

    const made = await shop.post("/v2/test/seed", { currency });
    const coffee = await shop.get("/v2/products?sku=COF-VOL-250");

    expect(made.at("/currency")).toBe(currency);
    expect(coffee.text).toContain(`{"currency":"${currency}","amount":${price},`);
  });

  test("of the shop by default", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { currency: "GHS" });

    expect((await shop.post("/v2/test/seed")).at("/currency")).toBe("GHS");
  });

  test("of every other currency, whole and above zero", () => {
    const odd = currencyCodes.filter(isCurrency).filter((currency) => {
      const [, digits = ""] = localPrice(0.01, currency).split(".");
      return digits.length !== exponentOf(currency) || Number(localPrice(0.01, currency)) <= 0;
    });

    expect(odd).toEqual([]);
  });

  test("which must exist", async () => {
    expect((await seeded.post("/v2/test/seed", { currency: "ABC" })).faults).toEqual([
      "#/currency invalid_choice",
    ]);
  });
});

test("an order can be placed at once", async () => {
  await using shop = await openTestShop();
  const made = await shop.post("/v2/test/seed");

  const placed = await shop.post("/v2/orders", {
    customer_id: made.string("/customers/ids/0"),
    line_items: [{ variant_id: made.string("/variants/ids/0"), quantity: 1 }],
  });

  expect(placed.status).toBe(201);
});
