// What the products of a list have in common, counted for the filters beside it.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import fc from "fast-check";

import { sumRows } from "#catalog/facets/facets.ts";
import { findFacets } from "#catalog/facets/lookups.ts";
import { newestFirst } from "#catalog/listing/sorting.ts";

import { openTestShop, type TestShop } from "../../support/shop.ts";

interface Listed {
  readonly category: string | null;
  readonly brand: string | null;
  readonly tags: readonly string[];
  readonly variants: readonly {
    readonly options: Readonly<Record<string, string>>;
    readonly in_stock: boolean;
    readonly prices: readonly { readonly currency: string; readonly amount: number }[];
  }[];
}

const price = fc.record({
  currency: fc.constantFrom("USD", "KES"),
  amount: fc.integer({ min: 1, max: 6 }),
});
const goods = fc
  .record({
    name: fc.constantFrom("Clay cup", "Tin cup", "Pot"),
    category: fc.constantFrom("cups", "pots", null),
    brand: fc.constantFrom("Ada", "Kofi", null),
    tags: fc.subarray(["clay", "tin", "new"]),
    status: fc.constantFrom("active", "active", "draft"),
    sizes: fc.subarray(["S", "M", "L"], { minLength: 1 }),
    prices: fc.uniqueArray(price, { selector: (one) => one.currency, maxLength: 2 }),
    stock: fc.constantFrom(0, 3),
  })
  .map(({ sizes, prices, stock, ...product }) => ({
    ...product,
    options: [{ name: "Size", values: sizes }],
    variants: [{ options: { Size: sizes[0] ?? "" }, prices, stock }],
  }));
const [drawn = []] = fc.sample(fc.array(goods, { minLength: 30, maxLength: 30 }), {
  seed: 5,
  numRuns: 1,
});

let shop: TestShop;

beforeAll(async () => {
  shop = await openTestShop();
  for (const body of drawn) await shop.post("/v2/products", body);
});

afterAll(() => shop[Symbol.asyncDispose]());

const queryOf = (filters: object) => new URLSearchParams(Object.entries(filters)).toString();

async function listed(filters: object, path: string): Promise<Listed[]> {
  const page = await shop.get(`${path}?limit=100&${queryOf(filters)}`);
  return page.list("/data") as Listed[];
}

/** The values by how many have them, then by name. */
function counted(values: readonly (string | null)[]) {
  return [...Map.groupBy(values, (value) => value)]
    .flatMap(([value, all]) => (value === null ? [] : [{ value, count: all.length }]))
    .toSorted((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
}

const lowest = ({ variants }: Listed, currency: string) =>
  Math.min(
    ...variants
      .flatMap(({ prices }) => prices.filter((one) => one.currency === currency))
      .map((one) => one.amount),
  );

function rangeOf(all: readonly Listed[], currency: string) {
  const prices = all.map((one) => lowest(one, currency)).filter((one) => one !== Infinity);
  const [min, max] = [Math.min(...prices), Math.max(...prices)];
  return prices.length === 0 ? [] : [{ currency, count: prices.length, min, max }];
}

const filtersDrawn = fc.record(
  {
    category: fc.constantFrom("cups", "none", "cups,pots"),
    brand: fc.constantFrom("Ada", "Kofi", "Kofi,Ada,none"),
    tag: fc.constantFrom("clay", "new", "tin,new"),
    "price[gte]": fc.constantFrom("2", "3"),
    "price[lte]": fc.constantFrom("4", "5"),
    currency: fc.constant("KES"),
    available: fc.constantFrom("true", "false"),
    q: fc.constantFrom("cup", "clay", "nothing"),
    status: fc.constantFrom("active", "draft"),
  },
  { requiredKeys: [] },
);
type Filters = ReturnType<typeof filtersDrawn.generate>["value"];

/** The same facets, worked out from lists: of each group the list without the group's own filter. */
async function expectedFor(filters: Filters, path = "/v2/products") {
  const { category: _, ...butCategory } = filters;
  const { brand: __, ...butBrand } = filters;
  const { tag: ___, ...butTag } = filters;
  const { available: ____, ...butStock } = filters;
  const { "price[gte]": _____, "price[lte]": ______, ...butPrice } = filters;
  const all = await listed(filters, path);
  const group = (values: readonly (string | null)[]) => ({ values: counted(values), left_out: 0 });
  const sizes = counted(
    all.flatMap(({ variants }) => variants.flatMap(({ options }) => options["Size"] ?? [])),
  );
  const priced = await listed(butPrice, path);
  return {
    total: all.length,
    available: (await listed(butStock, path)).filter((one) =>
      one.variants.some((any) => any.in_stock),
    ).length,
    categories: group((await listed(butCategory, path)).map((one) => one.category)),
    brands: group((await listed(butBrand, path)).map((one) => one.brand)),
    tags: group((await listed(butTag, path)).flatMap((one) => one.tags)),
    options: all.length === 0 ? [] : [{ name: "Size", values: sizes, left_out: 0 }],
    options_left_out: 0,
    prices: [...rangeOf(priced, "KES"), ...rangeOf(priced, "USD")].toSorted(
      (one, other) => other.count - one.count || (one.currency < other.currency ? -1 : 1),
    ),
    complete: true,
  };
}

describe("the facets of products", () => {
  test("count each group by all filters but its own", async () => {
    await fc.assert(
      fc.asyncProperty(filtersDrawn, async (filters) => {
        const answer = await shop.get(`/v2/products/facets?${queryOf(filters)}`);

        expect(answer.status).toBe(200);
        expect(answer.body).toMatchObject(await expectedFor(filters));
      }),
      { seed: 2, numRuns: 25 },
    );
  });

  test("follow what changes: products and stock", async () => {
    const facts = async () => {
      const answer = await shop.get("/v2/products/facets?category=vases");
      return [answer.at("/total"), answer.at("/available"), answer.at("/prices/0/max") ?? null];
    };
    const before = await facts();
    const vase = await shop.post("/v2/products", {
      name: "Vase",
      category: "vases",
      price: 900,
      stock: 1,
    });
    const added = await facts();

    const line = { variant_id: vase.string("/variants/0/id"), quantity: 1 };
    const order = await shop.post("/v2/orders", { line_items: [line] });
    expect(order.status).toBe(201);
    const sold = await facts();
    await shop.put(`/v2/products/${vase.string("/id")}`, { price: 950 });

    expect([before.slice(0, 2), added, sold, await facts()]).toEqual([
      [0, 0],
      [1, 1, 900],
      [1, 0, 900],
      [1, 0, 950],
    ]);
  });

  test("show a publishable key active products alone", async () => {
    const key = await shop.createKey({ scopes: ["storefront"] });

    const seen = await shop.get("/v2/products/facets", { key });
    const drafts = await shop.get("/v2/products/facets?status=draft", { key });

    const { total, categories } = await expectedFor({ status: "active" });
    expect(seen.body).toMatchObject({ total, categories });
    expect(drafts.body).toMatchObject({ total: 0, available: 0, categories: { values: [] } });
  });

  test("are those of the newest products where the shop has more than are looked at", async () => {
    const db = shop.test.database.read;
    const few = { statuses: ["active" as const], sorting: { ...newestFirst, walk: 2 } };

    const facets = await findFacets(db, few);

    expect(facets).toMatchObject({ complete: false });
    expect(facets.total).toBeLessThan(8);
    expect(await findFacets(db, { ...few, ids: [] })).toMatchObject({ complete: true, total: 0 });
  });

  test.each([
    ["sort=price", "sort unknown_parameter"],
    ["price[gte]=5.001", "price[gte] amount_precision"],
    ["available=yes", "available wrong_type"],
  ])("refuse %s", async (query, fault) => {
    const refused = await shop.get(`/v2/products/facets?${query}`);

    expect(refused.code).toBe("query_invalid");
    expect(refused.faults).toEqual([fault]);
  });

  test("tell so many values, and how many they leave out", () => {
    const row = { minMinor: 0, maxMinor: 0, kind: "brand", count: 1 } as const;
    const brands = Array.from({ length: 105 }, (_, n) => ({ ...row, value: `Brand ${n}` }));
    const kind = (name: string, value: string, count: number) =>
      ({ ...row, kind: "options", value: `\u001f${name}\u001f${value}`, count }) as const;
    const options = Array.from({ length: 23 }, (_, n) => kind(`Kind ${n}`, "one", 2));

    const facets = sumRows([
      ...brands,
      { ...row, value: "Brand 104" },
      ...options,
      kind("kind 3", "ONE", 3),
      kind("Kind 3", "ONE", 1),
    ]);

    expect(facets.brands.values[0]).toEqual({ value: "Brand 104", count: 2 });
    expect([facets.brands.values.length, facets.brands.leftOut]).toEqual([100, 5]);
    expect([facets.options.length, facets.optionsLeftOut]).toEqual([20, 3]);
    expect(facets.options[0]).toMatchObject({
      name: "Kind 3",
      values: [{ value: "ONE", count: 6 }],
    });
  });
});

describe("the facets of a collection", () => {
  const make = async (body: object) => (await shop.post("/v2/collections", body)).string("/id");

  /** Two by rules, one of which has words, and one that was picked by hand. */
  async function makeCollections(): Promise<string[]> {
    const ids = (await shop.get("/v2/products?limit=100"))
      .list("/data")
      .map((one) => Object(one).id);
    const picked = await make({ title: "Picked" });
    const product_ids = ids.filter((_, index) => index % 3 > 0);
    await shop.put(`/v2/collections/${picked}/products`, { product_ids });
    return [
      picked,
      await make({ title: "Cups", rule: { category: "cups" } }),
      await make({ title: "Clay or tin", rule: { q: "cup", brand: "Ada", tags: ["clay", "tin"] } }),
    ];
  }

  test("count its products alone, each group by all filters but its own", async () => {
    const ids = await makeCollections();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ids), filtersDrawn, async (id, filters) => {
        const answer = await shop.get(`/v2/collections/${id}/facets?${queryOf(filters)}`);

        expect(answer.status).toBe(200);
        const expected = await expectedFor(filters, `/v2/collections/${id}/products`);
        expect(answer.body).toMatchObject(expected);
      }),
      { seed: 3, numRuns: 12 },
    );
  });

  test("follow what is picked", async () => {
    const id = await make({ title: "Changing" });
    const path = `/v2/collections/${id}`;
    const total = async () => (await shop.get(`${path}/facets`)).at("/total");
    const product = (await shop.post("/v2/products", { name: "Jug", price: 3 })).id;

    const before = await total();
    await shop.put(`${path}/products/${product}`);
    const added = await total();
    await shop.delete(`${path}/products/${product}`);

    expect([before, added, await total()]).toEqual([0, 1, 0]);
  });

  test("show a publishable key published collections alone, and of them active products", async () => {
    const key = await shop.createKey({ scopes: ["storefront"] });
    const draft = (await shop.post("/v2/products", { name: "Secret", status: "draft" })).id;
    const [shown, hidden] = [await make({ title: "Shown" }), await make({ title: "Hidden" })];
    for (const id of [shown, hidden]) await shop.put(`/v2/collections/${id}/products/${draft}`);
    await shop.put(`/v2/collections/${hidden}`, { published: false });

    const seen = await shop.get(`/v2/collections/${shown}/facets`, { key });
    const refused = await shop.get(`/v2/collections/${hidden}/facets`, { key });

    expect(seen.at("/total")).toBe(0);
    expect((await shop.get(`/v2/collections/${shown}/facets`)).at("/total")).toBe(1);
    expect(refused.code).toBe("collection_not_found");
  });
});
