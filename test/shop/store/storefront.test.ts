// What a storefront reads of its shop in one answer.

import { describe, expect, test } from "bun:test";

import { shipTo } from "../../sales/pricing/priced-shop.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";

const PATH = "/v2/storefront";

async function openPages() {
  const shop = await openTestShop();
  const key = await shop.createKey({ scopes: ["storefront"] });
  const read = (headers: Readonly<Record<string, string>> = {}) => shop.get(PATH, { key, headers });
  return { shop, read, [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose]() };
}

const priced = (shop: TestShop, currency: string, status = "active") =>
  shop.post("/v2/products", {
    name: `Mug ${currency}`,
    status,
    variants: [{ prices: [{ amount: 10, currency }] }],
  });

describe("a storefront", () => {
  test("is told of a new shop what it sells in, and what a customer must say", async () => {
    await using pages = await openPages();

    const told = await pages.read();

    expect(told.status).toBe(200);
    expect(told.body).toMatchObject({
      name: "My shop",
      mode: "test",
      currency: "USD",
      currencies: ["USD"],
      ships_to: [],
      pickup: false,
      checkout: { contact: "either", address: "shipped", name: true },
      look: { logo: null, color: null },
      contact: { email: null, phone: null, website: null, support_line: null },
    });
    expect(told.list("/payment_methods").length).toBeGreaterThan(0);
  });

  test("is told where it ships, the currencies of its prices, its look and its contact", async () => {
    await using pages = await openPages();
    const { shop, read } = pages;
    await priced(shop, "KES");
    await priced(shop, "GHS");
    await shipTo(shop, ["GH", "KE"]);
    const address = { line1: "2 Oxford Street", city: "Accra", country: "GH" };
    await shop.post("/v2/pickup-locations", { name: "Osu shop", address });
    await shop.put("/v2/store", { brand_color: "#a63d14", contact_email: "hello@shop.test" });

    const { body } = await read();

    expect(body).toMatchObject({
      currencies: ["USD", "GHS", "KES"],
      ships_to: ["GH", "KE"],
      pickup: true,
      look: { color: "#a63d14" },
      contact: { email: "hello@shop.test" },
    });
  });

  test("is told no currency that only unpublished products have prices in", async () => {
    await using pages = await openPages();
    const { shop, read } = pages;
    const draft = await priced(shop, "KES", "draft");
    await priced(shop, "GHS", "archived");

    const before = await read();
    await shop.put(`/v2/products/${draft.id}`, { status: "active" });
    const after = await read();

    expect(before.body).toMatchObject({ currencies: ["USD"] });
    expect(after.body).toMatchObject({ currencies: ["USD", "KES"] });
  });

  test("is answered 304 until something of it changes", async () => {
    await using pages = await openPages();
    const { shop, read } = pages;
    const tag = (await read()).headers.get("etag") ?? "";

    const same = await read({ "If-None-Match": tag });
    await priced(shop, "KES");
    const other = await read({ "If-None-Match": tag });

    expect([same.status, other.status]).toEqual([304, 200]);
    expect(other.list("/currencies")).toEqual(["USD", "KES"]);
  });

  test("is told no ways to pay that its key may not use", async () => {
    await using pages = await openPages();
    const { shop, read } = pages;
    await shop.put("/v2/store", { payment_methods: { bank_transfer: { storefront: false } } });

    const methods = (body: unknown) =>
      Object(body).payment_methods.map(({ method }: { method: string }) => method);

    expect(methods((await shop.get(PATH)).body)).toContain("bank_transfer");
    expect(methods((await read()).body)).not.toContain("bank_transfer");
  });
});
