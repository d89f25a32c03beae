// Answers of the catalog to publishable keys: what is kept is what a read would answer.

import { beforeAll, describe, expect, spyOn, test } from "bun:test";
import { join } from "node:path";

import fc from "fast-check";

import { shownTables } from "#catalog/routes/shown-queries.ts";
import { run } from "#platform/database/database.ts";
import { SqliteConnection } from "#platform/database/sqlite/connection.ts";

import { runs, seedOfRun } from "../../support/runs.ts";
import { type Answered, openTestShop, type TestShop } from "../../support/shop.ts";

let shop: TestShop;
let key: string;

beforeAll(async () => {
  shop = await openTestShop({ asks: "nothing" });
  key = await shop.createKey({ kind: "publishable", scopes: null });
});

const asked = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  shop.get(path, { key, headers });
/** No answer to who names an order is kept, whatever the token has. */
const read = (path: string) => asked(path, { "Order-Token": "none" });
const tagOf = (answer: Answered) => answer.headers.get("etag") ?? "";

async function newProduct(name = "Mug"): Promise<{ id: string; variantId: string }> {
  const made = await shop.post("/v2/products", { name, price: 10, currency: "USD", stock: 5 });
  return { id: made.id, variantId: made.string("/variants/0/id") };
}

test("who has the answer is told so until a product changes", async () => {
  const { id } = await newProduct();
  const tag = tagOf(await asked("/v2/products"));

  const before = await asked("/v2/products", { "If-None-Match": tag });
  await shop.put(`/v2/products/${id}`, { name: "Cup" });
  const after = await asked("/v2/products", { "If-None-Match": tag });

  expect(tag).toMatch(/^W\/"[0-9a-z]+"$/);
  expect([before.status, before.text]).toEqual([304, ""]);
  expect(after.status).toBe(200);
  expect(after.string("/data/0/name")).toBe("Cup");
});

describe("an answer is sent whole to a client that has", () => {
  test.each([
    ["the tag of another list", async () => tagOf(await asked("/v2/collections"))],
    ["the tag of another page", async () => tagOf(await asked("/v2/products?limit=1"))],
    ["a tag of nobody", async () => 'W/"abc"'],
    ["no tag at all", async () => 'W/abc, "",'],
  ])("%s", async (_, tag) => {
    await newProduct();

    const answer = await asked("/v2/products", { "If-None-Match": await tag() });

    expect(answer.status).toBe(200);
    expect(answer.list("/data").length).toBeGreaterThan(0);
  });
});

test("an unknown product is not found, whatever tag is sent", async () => {
  const { id } = await newProduct();
  const tag = tagOf(await asked(`/v2/products/${id}`));
  await shop.delete(`/v2/products/${id}`);

  const answer = await asked(`/v2/products/${id}`, { "If-None-Match": tag });

  expect([answer.status, answer.code]).toEqual([404, "product_not_found"]);
});

test("secret keys and bearers of an order get tags of their own, of a version or of the text", async () => {
  const { id } = await newProduct();
  const path = `/v2/products/${id}`;
  const own = [await shop.get(path), await read(path), await shop.get("/v2/products")].map(tagOf);

  expect(own).toEqual([
    expect.stringMatching(/^"1\./),
    expect.stringMatching(/^"1\./),
    expect.stringMatching(/^W\/"h/),
  ]);
});

describe("a kept answer in several codings", () => {
  const path = "/v2/products?limit=4";
  const inCoding = (coding: string, headers: Readonly<Record<string, string>> = {}) =>
    asked(path, { "Accept-Encoding": coding, ...headers });
  beforeAll(async () => {
    for (let made = 0; made < 4; made += 1) await newProduct("A mug of clay, made by hand");
  });

  test("is the same in each", async () => {
    const texts: string[] = [];
    for (const coding of ["identity", "gzip", "zstd", "br", "gzip", "zstd", "br"]) {
      texts.push((await inCoding(coding)).text);
    }

    expect(new Set(texts)).toEqual(new Set([(await read(path)).text]));
  });

  test("has a tag of its own in each, under which it is confirmed", async () => {
    const codings = ["identity", "gzip", "zstd", "br"];
    const tags: string[] = [];
    for (const coding of codings) tags.push(tagOf(await inCoding(coding)));

    const confirmed = await Promise.all(
      codings.map((coding, place) => inCoding(coding, { "If-None-Match": tags[place] ?? "" })),
    );

    expect(new Set(tags).size).toBe(4);
    expect(confirmed.map(({ status }) => status)).toEqual([304, 304, 304, 304]);
    expect(confirmed.map(tagOf)).toEqual(tags);
  });

  test("is sent to a client that has it in a coding that it does not take", async () => {
    const tag = tagOf(await inCoding("zstd"));

    const answer = await inCoding("identity", { "If-None-Match": tag });

    expect(answer.status).toBe(200);
  });
});

/** What a merchant and customers do to the catalog, each with the product and the collection of the run. */
interface Goods {
  readonly id: string;
  readonly variantId: string;
  readonly other: string;
  readonly collection: string;
  readonly rule: string;
}
type Change = (goods: Goods, turn: number) => Promise<unknown>;

const changes: Readonly<Record<string, Change>> = {
  price: ({ id }, turn) => shop.put(`/v2/products/${id}`, { price: 10 + turn }),
  name: ({ id }, turn) => shop.put(`/v2/products/${id}`, { name: `Mug ${turn}` }),
  tags: ({ id }, turn) => shop.put(`/v2/products/${id}`, { tags: [`t${turn % 2}`] }),
  slug: ({ id }, turn) => shop.put(`/v2/products/${id}`, { slug: `mug-${id.slice(-9)}-${turn}` }),
  related: ({ id, other }) => shop.put(`/v2/products/${other}`, { related_product_ids: [id] }),
  draft: ({ id }, turn) =>
    shop.put(`/v2/products/${id}`, { status: turn % 2 === 0 ? "draft" : "active" }),
  remove: ({ other }) => shop.delete(`/v2/products/${other}`),
  stock: ({ variantId }, turn) => shop.put(`/v2/inventory/${variantId}`, { on_hand: turn % 3 }),
  order: ({ variantId }) =>
    shop.post("/v2/orders", { line_items: [{ variant_id: variantId, quantity: 1 }] }),
  variant: ({ id }, turn) =>
    shop.post(`/v2/products/${id}/variants`, {
      options: { size: `${turn}` },
      price: 7,
      currency: "USD",
    }),
  member: ({ collection, id }) => shop.put(`/v2/collections/${collection}/products/${id}`, {}),
  unpublish: ({ collection }, turn) =>
    shop.put(`/v2/collections/${collection}`, { published: turn % 2 === 1 }),
  rule: ({ rule }, turn) =>
    shop.put(`/v2/collections/${rule}`, { rule: { tags: [`t${turn % 2}`] } }),
  settings: (_, turn) => shop.put("/v2/store", { name: `Shop ${turn}` }),
};

const questionsOf = ({ id, variantId, other, collection, rule }: Goods): readonly string[] => [
  "/v2/products?limit=3",
  "/v2/products?limit=3&sort=price",
  "/v2/products?limit=3&in_stock=true",
  "/v2/products?limit=3&q=mug",
  "/v2/products?limit=3&tag=t1",
  `/v2/products/${id}`,
  `/v2/products/${id}/variants/${variantId}`,
  `/v2/products/${other}/related`,
  "/v2/collections?limit=3",
  `/v2/collections/${collection}`,
  `/v2/collections/${collection}/products`,
  `/v2/collections/${rule}/products?limit=3`,
  "/v2/products/facets?tag=t1",
  `/v2/collections/${rule}/facets?q=mug`,
];

/** They change with products. */
const textTables = ["search_documents", "search_entries"];

async function newGoods(): Promise<Goods> {
  const collection = await shop.post("/v2/collections", { title: "Picked", published: true });
  const rule = await shop.post("/v2/collections", {
    title: "Tagged",
    published: true,
    rule: { tags: ["t1"] },
  });
  const other = await newProduct("Jug");
  return { ...(await newProduct()), other: other.id, collection: collection.id, rule: rule.id };
}

test("nothing is read for them but the tables that they are kept for, and the index of texts", async () => {
  const goods = await newGoods();
  const connection = SqliteConnection.openReader(join(shop.folder.path, "test.sqlite"));
  const words = new Set<string>();
  const { database } = shop.duka.shops.test;
  const reading = spyOn(database, "readTogether").mockImplementation((reads) =>
    reads({
      vault: database.vault,
      [run]: (statement, values) => {
        for (const word of connection.ready(statement).words) words.add(word);
        return database.read[run](statement, values);
      },
    }),
  );

  for (const path of questionsOf(goods)) await asked(path);
  reading.mockRestore();

  const names = "SELECT name FROM sqlite_schema WHERE type = 'table'";
  const tables = connection.command(names).map(({ name }) => String(name));
  connection.close();
  const touched = tables.filter((name) => words.has(name));
  expect(touched).toContain("products");
  expect(touched.filter((name) => ![...shownTables, ...textTables].includes(name))).toEqual([]);
});

test("after any changes each answer is what a read answers, and no tag stands for another answer", async () => {
  const names = fc.constantFrom(...Object.keys(changes));
  await fc.assert(
    fc.asyncProperty(fc.array(names, { minLength: 1, maxLength: 8 }), async (made) => {
      const goods = await newGoods();
      const had = new Map<string, { readonly tag: string; readonly text: string }>();
      for (const [turn, name] of ["", ...made].entries()) {
        await changes[name]?.(goods, turn);
        for (const path of questionsOf(goods)) {
          const { tag = "", text: before } = had.get(path) ?? {};
          const fresh = await read(path);
          const conditional = await asked(path, tag === "" ? {} : { "If-None-Match": tag });
          const whole = await asked(path);
          if (conditional.status === 304) expect(fresh.text).toBe(before ?? "");
          else expect(bodyOf(conditional)).toEqual(bodyOf(fresh));
          expect(bodyOf(whole)).toEqual(bodyOf(fresh));
          if (whole.status === 200) had.set(path, { tag: tagOf(whole), text: whole.text });
        }
      }
    }),
    { numRuns: runs(6), seed: seedOfRun() },
  );
});

/** A refusal without the id of its request. */
function bodyOf({ status, body }: Answered): unknown {
  return [status, { ...Object(body), request_id: undefined }];
}
