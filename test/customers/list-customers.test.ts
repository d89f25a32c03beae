// Lists of customers: each filter, combinations, and pages from the newest to the oldest.

import { beforeAll, describe, expect, test } from "bun:test";

import { findCustomersMatching } from "#customers/lookups.ts";

import { of, place } from "../sales/orders/counter.ts";
import { mug } from "../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../support/shop.ts";

const DAY_MS = 86_400_000;

/** A shop of Ada, Grace and Kofi alone. */
const shop = sharedShop();
let three: readonly string[];
beforeAll(async () => {
  three = await threeCustomers(shop);
});

/** A shop in Ghana, with an order of Kofi, and with Zoe. */
const ghana = sharedShop();
let [kofi, order, zoe] = ["", "", ""];
beforeAll(async () => {
  await ghana.put("/v2/store", { country: "GH" });
  kofi = (await ghana.post("/v2/customers", { name: "Kofi", phone: "055 123 4987" })).id;
  order = (await place(ghana, [of(await mug(ghana))], { customer_id: kofi })).id;
  zoe = (await ghana.post("/v2/customers", { email: "zoë@münchen.example" })).id;
});

describe("customers are found by", () => {
  test.each([
    ["nothing, newest first", "", ["kofi", "grace", "ada"]],
    ["email, whatever its case", "email=GRACE@shop.example", ["grace"]],
    ["phone", "phone=%2B233201234567", ["ada"]],
    ["phone with a plus that is not percent-encoded", "phone=+233201234567", ["ada"]],
    ["tag", "tag=vip", ["kofi", "ada"]],
    ["a word of the name", "q=hopper", ["grace"]],
    ["the beginning of a word", "q=men", ["kofi", "ada"]],
    ["several words, of which each must occur", "q=men+ko", ["kofi"]],
    ["a part of the email", "q=grace%40shop.example", ["grace"]],
    ["the digits of the phone", "q=23320", ["ada"]],
    ["signs alone, which match nothing", "q=%25%26", []],
    ["words and tag together", "q=mensah&tag=vip", ["kofi", "ada"]],
    ["tag and email together", "tag=vip&email=kofi%40shop.example", ["kofi"]],
    ["an unknown tag", "tag=press", []],
    ["the day and after", "created_at[gte]=2026-01-06T08:00:00Z", ["kofi", "grace"]],
    ["after the day", "created_at[gt]=2026-01-06T08:00:00Z", ["kofi"]],
    ["before the day", "created_at[lt]=2026-01-06T08:00:00Z", ["ada"]],
    ["the day and before", "created_at[lte]=2026-01-06T08:00:00Z", ["grace", "ada"]],
    [
      "a span of days in another time zone",
      "created_at[gte]=2026-01-06T10:00:00%2B02:00&created_at[lt]=2026-01-07T10:00:00%2B02:00",
      ["grace"],
    ],
  ])("%s", async (_, query, names) => {
    const found = await shop.get(`/v2/customers?${query}`);

    expect(found.status).toBe(200);
    expect(emailsOf(found.list("/data"))).toEqual(names.map((name) => `${name}@shop.example`));
  });
});

test.each(["055 123 4987", "0551234987", "(055) 123-4987", "+233 55 123 4987", "233551234987"])(
  "a customer and their order are found by the phone, written as %s",
  async (written) => {
    const query = `q=${encodeURIComponent(written)}`;

    const customers = await ghana.get(`/v2/customers?${query}`);
    const orders = await ghana.get(`/v2/orders?${query}`);

    expect(customers.list("/data")).toMatchObject([{ id: kofi }]);
    expect(orders.list("/data")).toMatchObject([{ id: order }]);
  },
);

test.each(["ZOË@MÜNCHEN.example", "zoe\u0308@münchen.example", "zoë@xn--mnchen-3ya.example"])(
  "a customer with an email in letters of any script is found by it, written as %s",
  async (written) => {
    const found = await ghana.get(`/v2/customers?email=${encodeURIComponent(written)}`);

    expect(found.at("/data/0/id")).toBe(zoe);
  },
);

test.each([
  "ZOË@MÜNCHEN.example",
  "zoe@munchen.example",
  "muenchen",
  "mün",
  "münchen.ex",
  "zoë@xn--mnchen-3ya.example",
])("and by a search for %s", async (written) => {
  const found = await ghana.get(`/v2/customers?q=${encodeURIComponent(written)}`);

  expect(found.list("/data")).toMatchObject([{ id: zoe }]);
});

test("an unknown filter is refused", async () => {
  const refused = await shop.get("/v2/customers?emial=ada%40shop.example");

  expect([refused.status, refused.code]).toEqual([400, "query_invalid"]);
  expect(refused.faults).toEqual(["emial unknown_parameter"]);
});

test.each([
  ["alone", ""],
  ["by tag", "&tag=all"],
  ["by words", "&q=shop"],
  ["by time", "&created_at[gte]=2026-01-05T08:00:00Z"],
])("pages %s show each customer once", async (_, filter) => {
  const first = await shop.get(`/v2/customers?limit=2${filter}`);
  const cursor = first.string("/next_cursor");
  const second = await shop.get(`/v2/customers?limit=2${filter}&cursor=${cursor}`);

  expect(emailsOf([...first.list("/data"), ...second.list("/data")])).toEqual([
    "kofi@shop.example",
    "grace@shop.example",
    "ada@shop.example",
  ]);
  expect([first.at("/has_more"), second.at("/has_more")]).toEqual([true, false]);
});

test("pages by words show each customer, although the clock was moved back between them", async () => {
  await using shop = await openTestShop();
  const create = async (name: string) =>
    (await shop.post("/v2/customers", { email: `${name}@shop.example` })).id;
  shop.clock.advance(DAY_MS);
  const [third, fourth] = [await create("third"), await create("fourth")];
  shop.clock.advance(-DAY_MS);
  const [first, second] = [await create("first"), await create("second")];

  const found: unknown[] = [];
  for (let page = "", isLast = false; !isLast;) {
    const seen = await shop.get(`/v2/customers?q=shop&limit=1${page}`);
    found.push(seen.at("/data/0/id"));
    page = `&cursor=${String(seen.at("/next_cursor"))}`;
    isLast = seen.at("/has_more") === false;
  }

  expect(found).toEqual([fourth, third, second, first]);
});

test("a customer is found by current values, not by earlier ones", async () => {
  const made = await ghana.post("/v2/customers", { email: "ada@shop.example", tags: ["vip"] });

  await ghana.put(`/v2/customers/${made.id}`, { email: "countess@shop.example", tags: ["press"] });

  const found = await Promise.all(
    ["q=ada", "tag=vip", "email=ada%40shop.example", "q=countess", "tag=press"].map((query) =>
      ghana.get(`/v2/customers?${query}`),
    ),
  );
  expect(found.map((page) => page.list("/data").length)).toEqual([0, 0, 0, 1, 1]);
});

test("a search returns the ids of the customers that match", async () => {
  const ids = await findCustomersMatching(shop.test.database.read, "mensah");

  expect<readonly (string | undefined)[]>(ids).toEqual([three[2], three[0]]);
});

/** Creates Ada, Grace and Kofi a day apart; returns their ids. */
async function threeCustomers(shop: TestShop): Promise<string[]> {
  const customers = [
    { email: "ada@shop.example", phone: "+233201234567", name: "Ada Mensah", tags: ["all", "vip"] },
    { email: "grace@shop.example", name: "Grace Hopper", tags: ["all"] },
    { email: "kofi@shop.example", name: "Kofi Mensah", tags: ["vip", "all"] },
  ];
  const ids: string[] = [];
  for (const customer of customers) {
    ids.push((await shop.post("/v2/customers", customer)).id);
    shop.clock.advance(DAY_MS);
  }
  return ids;
}

function emailsOf(rows: readonly unknown[]): unknown[] {
  return rows.map((row) => Object(row).email);
}
