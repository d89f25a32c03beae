// Lists of products in the order that a storefront asks for: by price and by name, within bounds, and what is in stock.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import fc from "fast-check";

import { type Order, readPlace } from "#catalog/listing/sorting.ts";
import { findProducts } from "#catalog/products/lookups.ts";
import { encodeCursor } from "#platform/http/calls/cursor.ts";

import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly variants: readonly {
    readonly prices: readonly { readonly currency: string; readonly amount_minor: number }[];
  }[];
}

/** Every product of the pages, in their order. */
async function walk(
  shop: TestShop,
  query: string,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let cursor = ""; ;) {
    const page = await shop.get(`/v2/products?${query}${cursor}`);
    expect(page.status).toBe(200);
    found.push(...(page.list("/data") as Listed[]));
    if (page.at("/has_more") !== true) return found;
    cursor = `&cursor=${page.string("/next_cursor")}`;
    await between();
  }
}

const names = ["Zebra", "ábc", "Abd", "łuk", "Mug", "mug", "Éclair", "eclairs", "Ö", "Ńame"];
const namesDrawn = fc.constantFrom(...names);
const price = fc.record({
  currency: fc.constantFrom("USD", "KES"),
  amount: fc.integer({ min: 0, max: 6 }),
});
const goods = fc.record({
  name: namesDrawn,
  category: fc.constantFrom("cups", "pots"),
  tags: fc.subarray(["clay", "tin"]),
  variants: fc
    .uniqueArray(fc.uniqueArray(price, { selector: (one) => one.currency, maxLength: 2 }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((all) =>
      all.map((prices, index) => ({ title: `Kind ${index}`, prices, stock: prices.length % 2 })),
    ),
});
const [drawn = []] = fc.sample(fc.array(goods, { minLength: 40, maxLength: 40 }), {
  seed: 7,
  numRuns: 1,
});

/** What the list is sorted by, worked out from what it tells. */
const valuesBy: Readonly<Record<string, (one: Listed, currency: string) => string | number>> = {
  price: ({ variants }, currency) =>
    Math.min(
      ...variants
        .flatMap(({ prices }) => prices.filter((one) => one.currency === currency))
        .map((one) => one.amount_minor),
    ),
  name: ({ name }) =>
    name.replace("ł", "l").normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase(),
  newest: ({ id }) => id,
};

function sortedAs(sort: string, all: readonly Listed[], currency: string): Listed[] {
  const by = valuesBy[sort.replace("-", "")] ?? (() => "");
  const compare = (one: string | number, other: string | number) =>
    one === other ? 0 : one < other ? -1 : 1;
  const ascending = all
    .filter((one) => by(one, currency) !== Infinity)
    .toSorted(
      (one, other) => compare(by(one, currency), by(other, currency)) || compare(one.id, other.id),
    );
  return sort.startsWith("-") || sort === "newest" ? ascending.toReversed() : ascending;
}

const sorts = fc.constantFrom("newest", "price", "-price", "name", "-name");
const whole = fc.integer({ min: 0, max: 6 });
const bounds = fc.tuple(fc.option(whole), whole);
const ids = (all: readonly Listed[]) => all.map(({ id }) => id);

describe("all pages of a list", () => {
  let shop: TestShop;

  beforeAll(async () => {
    shop = await openTestShop();
    for (const body of drawn) await shop.post("/v2/products", body);
  });

  afterAll(() => shop[Symbol.asyncDispose]());

  test("have each product once, in the order asked for", async () => {
    const all = await walk(shop, "limit=100");
    expect(all).toHaveLength(drawn.length);

    await fc.assert(
      fc.asyncProperty(
        sorts,
        fc.constantFrom("USD", "KES"),
        fc.tuple(fc.integer({ min: 1, max: 41 }), bounds),
        async (sort, currency, [limit, [least, most]]) => {
          const within = least === null ? "" : `&price[gte]=${least}&price[lte]=${most}`;

          const found = await walk(
            shop,
            `sort=${sort}&currency=${currency}&limit=${limit}${within}`,
          );

          const expected = sortedAs(sort, all, currency).filter((one) => {
            const lowest = Number(valuesBy["price"]?.(one, currency));
            return least === null || (lowest >= least * 100 && lowest <= most * 100);
          });
          expect(ids(found)).toEqual(ids(expected));
        },
      ),
      { seed: 1, numRuns: 25 },
    );
  });

  test("have each product once, however few are looked at for a page", async () => {
    const orders: readonly Order[] = [
      { descending: true },
      { byPrice: true, ascending: true },
      { byPrice: true, descending: true },
      { byName: true, ascending: true },
      { byName: true, descending: true },
    ];
    const filters = fc.record(
      {
        statuses: fc.constant(["active"] as const),
        category: fc.constantFrom(["cups"], ["cups", "pots"], ["none"]),
        tag: fc.constantFrom(["clay"], ["clay", "tin"], ["none"]),
        q: fc.constantFrom("mug", "cups", "nothing"),
        inStock: fc.constant(true as const),
        soldOut: fc.constant(true as const),
        priceLeast: fc.constantFrom(0, 300),
        priceMost: fc.constantFrom(300, 600),
      },
      { requiredKeys: [] },
    );
    const few = fc.record({
      walk: fc.integer({ min: 0, max: 50 }),
      limit: fc.integer({ min: 1, max: 9 }),
    });
    const db = shop.test.database.read;

    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...orders), filters, few, async (order, asked, small) => {
        const { category, tag, q, statuses, ...rest } = asked;
        const isPriced = order.byPrice ?? rest.priceLeast ?? rest.priceMost;
        const sorting = {
          ...order,
          ...rest,
          currency: isPriced === undefined ? undefined : ("USD" as const),
        };
        const pages = async (most: { readonly walk: number; readonly limit: number }) => {
          const found: string[] = [];
          for (let place: object = {}; ;) {
            const page = await findProducts(db, {
              category,
              tag,
              q,
              statuses,
              limit: most.limit,
              ...place,
              sorting: {
                ...sorting,
                walk: most.walk,
                ...place,
              },
            });
            expect(page.rows.length).toBeLessThanOrEqual(most.limit);
            found.push(...page.rows.map(({ id }) => id));
            if (!page.hasMore) return found;
            const { end = "" } = page;
            place = end.includes(" ") ? (readPlace(end, order) ?? {}) : { before: end };
          }
        };

        expect(await pages(small)).toEqual(await pages({ walk: 1_000, limit: 100 }));
      }),
      { seed: 3, numRuns: 150 },
    );
  });

  test("have what did not change once, while other products do", async () => {
    const before = await walk(shop, "limit=100");
    const moving = before.filter((_, index) => index % 4 === 0);
    const still = before.filter((one) => !moving.includes(one));

    for (const sort of ["price", "-price", "name", "-name"]) {
      let turn = 0;
      const move = async () => {
        const one = moving[(turn += 1) % moving.length];
        const change = { name: names[turn % names.length] };
        expect((await shop.put(`/v2/products/${one?.id}`, change)).status).toBe(200);
        await shop.post("/v2/products", { name: `New ${sort} ${turn}`, price: turn % 7 });
      };

      const found = await walk(shop, `sort=${sort}&limit=4`, move);

      const seen = new Set(ids(still));
      expect(ids(found).filter((id) => seen.has(id))).toEqual(ids(sortedAs(sort, still, "USD")));
    }
  });
});

describe("a list by price", () => {
  const shop = sharedShop();
  beforeAll(() => stock(shop));

  /** A shop of its own, to change its goods. */
  async function openPriced(): Promise<TestShop> {
    const own = await openTestShop();
    await stock(own);
    return own;
  }

  async function stock(shop: TestShop): Promise<void> {
    const sized = (small: number, large: number) =>
      [small, large].map((amount, index) => ({
        title: ["Small", "Large"][index],
        prices: [{ amount }],
        stock: 1,
      }));
    for (const body of [
      { name: "Mug", price: "5.50", brand: "Kente & Co", stock: 3 },
      { name: "Pot", variants: sized(3, 9), category: "kitchen", brand: "Clay Works" },
      { name: "Cup", price: 4, status: "draft", brand: "Kente & Co" },
      { name: "Bowl", price: 7, stock: 0, category: "kitchen" },
      { name: "Gift", variants: [{ prices: [{ amount: 8 }], tracked: false }] },
      { name: "Idea" },
      { name: "Kikoy", variants: [{ prices: [{ currency: "KES", amount: 1 }] }] },
    ]) {
      expect((await shop.post("/v2/products", body)).status).toBe(201);
      shop.clock.advance(1_000);
    }
  }

  const listed = async (shop: TestShop, query: string, key = shop.key) =>
    (await shop.get(`/v2/products?${query}`, { key })).list("/data").map((one) => Object(one).name);

  test.each([
    ["sort=price", ["Pot", "Cup", "Mug", "Bowl", "Gift"]],
    ["sort=-price&status=active", ["Gift", "Bowl", "Mug", "Pot"]],
    ["sort=price&currency=KES", ["Kikoy"]],
    ["sort=name", ["Bowl", "Cup", "Gift", "Idea", "Kikoy", "Mug", "Pot"]],
    ["price[gte]=4&price[lte]=5.50", ["Cup", "Mug"]],
    ["price[lte]=5&sort=price", ["Pot", "Cup"]],
    ["price[gte]=5.51", ["Gift", "Bowl"]],
    ["brand=Kente+%26+Co", ["Cup", "Mug"]],
    ["brand=Kente+%26+Co&sort=price", ["Cup", "Mug"]],
    ["category=kitchen&sort=price", ["Pot", "Bowl"]],
    ["q=clay+works", ["Pot"]],
    ["available=true", ["Gift", "Pot", "Mug"]],
    ["available=false&sort=name", ["Bowl", "Cup", "Idea", "Kikoy"]],
    ["available=true&sort=price&price[lte]=6", ["Pot", "Mug"]],
  ])("and its filters: %s", async (query, expected) => {
    expect(await listed(shop, query)).toEqual(expected);
  });

  test("has only active products for a storefront", async () => {
    const key = await shop.createKey({ scopes: ["storefront"] });

    expect(await listed(shop, "sort=price", key)).toEqual(["Pot", "Mug", "Bowl", "Gift"]);
    expect(await listed(shop, "sort=price&status=draft", key)).toEqual([]);
    expect(await listed(shop, "brand=Kente+%26+Co", key)).toEqual(["Mug"]);
  });

  test("follows each change of a variant", async () => {
    await using shop = await openPriced();
    const pot = await shop.get("/v2/products?slug=pot");
    const [id, large] = [pot.string("/data/0/id"), pot.string("/data/0/variants/1/id")];
    const lowest = async () =>
      (await shop.get("/v2/products?sort=price&limit=1")).at("/data/0/name");

    await shop.put(`/v2/products/${id}/variants/${large}`, { prices: [{ amount: 1 }] });
    expect(await lowest()).toBe("Pot");
    await shop.delete(`/v2/products/${id}/variants/${large}`);
    expect(await listed(shop, "price[lte]=2")).toEqual([]);
    await shop.post(`/v2/products/${id}/variants`, { title: "Tiny", prices: [{ amount: 2 }] });
    expect(await listed(shop, "price[lte]=2")).toEqual(["Pot"]);
    await shop.delete(`/v2/products/${id}`);
    expect(await lowest()).toBe("Cup");
  });

  test("follows the stock", async () => {
    await using shop = await openPriced();
    const bowl = (await shop.get("/v2/products?slug=bowl")).string("/data/0/variants/0/id");

    expect(await listed(shop, "available=true&category=kitchen")).toEqual(["Pot"]);
    await shop.put(`/v2/inventory/${bowl}`, { backorder: "allow" });

    expect(await listed(shop, "available=true&category=kitchen")).toEqual(["Bowl", "Pot"]);
  });

  test.each([
    ["sort=cheapest", "sort invalid_choice"],
    ["price[gte]=5.001", "price[gte] amount_precision"],
    ["price[lte]=1.5&currency=UGX", "price[lte] amount_precision"],
    ["price[gte]=-1", "price[gte] invalid_format"],
    ["available=yes", "available wrong_type"],
  ])("refuses %s", async (query, fault) => {
    const refused = await shop.get(`/v2/products?${query}`);

    expect(refused.code).toBe("query_invalid");
    expect(refused.faults).toEqual([fault]);
  });

  test.each(["", " ", "NaN prod_1", "1e309 prod_1", "1.5 prod_1", "-1 prod_1", "0x1 prod_1"])(
    "refuses a cursor of its own making that no page ends at: %p",
    async (after) => {
      const cursor = encodeCursor({ after, scope: 'test /v2/products {"sort":"price"}' });

      const refused = await shop.get(`/v2/products?sort=price&cursor=${cursor}`);

      expect(refused.code).toBe("invalid_cursor");
    },
  );

  test("has cursors that belong to the order", async () => {
    const first = await shop.get("/v2/products?sort=price&limit=2");

    const other = await shop.get(`/v2/products?sort=-price&cursor=${first.string("/next_cursor")}`);

    expect(other.code).toBe("invalid_cursor");
  });
});
