// The options of variants as filters: one variant has all that is asked for, and products of older versions are indexed.

import { describe, expect, test } from "bun:test";

import { optionKey } from "#catalog/listing/options.ts";
import { indexProductsJob } from "#catalog/routes/jobs.ts";

import { rowsBehind, tamper } from "../../support/behind-the-shop.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

const shirt = {
  name: "Shirt",
  options: [
    { name: "Size", values: ["M", "L", "1,5 m"] },
    { name: "Colour", values: ["Red", "Blue", "★"] },
  ],
  variants: [
    { options: { Size: "M", Colour: "Blue" }, stock: 0 },
    { options: { Size: "L", Colour: "Red" }, stock: 3 },
    { options: { Size: "1,5 m", Colour: "★" }, stock: 3 },
  ],
};

const namesOf = async (query: string, of: TestShop = shop) =>
  (await of.get(`/v2/products?${query}`)).list("/data").map((one) => Object(one).name);

describe("a filter by options", () => {
  test.each([
    ["option[Size]=M", 1],
    ["option[Size]=XS,L", 1],
    ["option[Size]=M&option[Colour]=Blue", 1],
    ["option[Size]=M&option[Colour]=Red", 0],
    ["option[Size]=M,L&option[Colour]=Red,Blue", 1],
    ["option[ SIZE ]=l", 1],
    ["option[Size]=1,5 m", 1],
    ["option[Colour]=★", 1],
    ["option[Colour]=☆", 0],
    ["option[Gauge]=M", 0],
    ["option[__proto__]=M", 0],
    ["option[Size]=M&available=true", 0],
    ["option[Size]=L&available=true", 1],
    ["option[Size]=M,L&option[size]=XL", 1],
    ["option[Size]=M&q=shirt&sort=name", 1],
  ])("of %s finds %d", async (query, count) => {
    const brand = `Brand of ${query}`.replaceAll(",", ";");
    await shop.post("/v2/products", { ...shirt, brand });

    const found = await namesOf(`${query}&brand=${encodeURIComponent(brand)}`);

    expect(found).toHaveLength(count);
  });

  test.each([
    ["+1.5", "-1.5"],
    ["3-6", "36"],
    ["1/2", "12"],
  ])("finds %s without %s", async (asked, other) => {
    const brand = `Measures of ${asked}`;
    const lens = { name: "Lens", brand, options: [{ name: "Power", values: [other] }] };
    await shop.post("/v2/products", { ...lens, variants: [{ options: { Power: other } }] });

    const find = (power: string) =>
      namesOf(String(new URLSearchParams({ "option[Power]": power, brand })));

    expect(await find(asked)).toEqual([]);
    expect(await find(` ${other} `)).toEqual(["Lens"]);
  });

  test.each([
    ["50 CL \u00c9t\u00e9", "50 cl ete"],
    ["\uff15\uff10 cl", " 50\u200b  cl"],
    ["Caf\u00e9", "CAFE"],
  ])("takes %j for %j", (one, other) => {
    expect(optionKey(one)).toBe(optionKey(other));
  });

  test.each([
    ["option=M", "option unknown_parameter"],
    ["option[Size]=", "option[Size] too_short"],
    [`option[Size]=${"a,".repeat(20)}b`, "option[Size] too_many"],
    ["option[a]=1&option[b]=1&option[c]=1&option[d]=1&option[e]=1&option[f]=1", "option too_many"],
  ])("of %s is refused", async (query, fault) => {
    for (const path of ["products", "products/facets"]) {
      const refused = await shop.get(`/v2/${path}?${query}`);

      expect([refused.status, refused.faults]).toEqual([400, [fault]]);
    }
  });

  test("follows variants that are added, changed, archived and deleted", async () => {
    const made = await shop.post("/v2/products", { ...shirt, brand: "Moving" });
    const path = `/v2/products/${made.id}/variants`;
    const has = async (size: string) =>
      (await namesOf(`option[Size]=${size}&brand=Moving`)).length === 1;
    const [m, l] = [made.string("/variants/0/id"), made.string("/variants/1/id")];
    await shop.post("/v2/orders", { line_items: [{ variant_id: l, quantity: 1 }] });

    await shop.put(`${path}/${m}`, { options: { Colour: "Blue" } });
    await shop.delete(`${path}/${l}`);
    const before = [await has("M"), await has("L")];
    await shop.post(path, { options: { Size: "M", Colour: "Red" }, stock: 1 });

    expect([before, await has("M")]).toEqual([[false, false], true]);
  });

  test("has a cursor, and a link to the next page", async () => {
    for (const n of [1, 2, 3])
      await shop.post("/v2/products", { ...shirt, name: `${n}`, brand: "P" });
    const query = "brand=P&option[Size]=M,L&limit=2";

    const first = await shop.get(`/v2/products?${query}`);
    const next = new URL(/<(.*)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "");
    const second = await namesOf(next.search.slice(1));
    const foreign = await shop.get(
      `/v2/products?brand=P&option[Size]=M&cursor=${first.string("/next_cursor")}`,
    );

    expect(first.list("/data").map((one) => Object(one).name)).toEqual(["3", "2"]);
    expect(second).toEqual(["1"]);
    expect(foreign.code).toBe("invalid_cursor");
  });
});

test("the options of older products are found once all are indexed, and refused until then", async () => {
  await using old = await openTestShop();
  for (let n = 0; n < 101; n += 1) await old.post("/v2/products", { ...shirt, name: `${n}` });
  await old.duka.stop();
  await tamper(
    old.folder.path,
    "DELETE FROM variant_options",
    "INSERT INTO product_indexing (id, after) VALUES (1, '')",
  );
  await using again = await openTestShop({ folder: old.folder });
  const { id } = await again.post("/v2/products", shirt);

  const refused = await again.get("/v2/products?option[Size]=M");
  const facets = await again.get("/v2/products/facets");
  const renamed = await again.put(`/v2/products/${id}`, { name: "New shirt" });
  await indexProductsJob([again.test]).run();
  const found = await again.get("/v2/products/facets?option[Size]=M");

  expect([refused.status, refused.code, refused.headers.get("retry-after")]).toEqual([
    503,
    "still_indexing",
    "60",
  ]);
  expect([facets.at("/total"), facets.at("/complete"), renamed.status]).toEqual([102, false, 200]);
  expect([found.at("/total"), found.at("/complete")]).toEqual([102, true]);
  await again.duka.stop();
  const rows = await rowsBehind(again.folder.path, "SELECT count(*) AS n FROM variant_options");
  expect(rows).toEqual([{ n: 102 * 6 }]);
});
