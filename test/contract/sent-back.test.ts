// A resource that was read may be sent back whole, with another value here and there.

import { describe, expect, test } from "bun:test";

import { assume } from "#kernel/assume.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

import { picture } from "../support/pictures.ts";
import { type Answered, sharedShop } from "../support/shop.ts";
import { resourcesOf } from "./changeable-resources.ts";

const shop = sharedShop();
const resources = Object.entries(resourcesOf(shop));

/** The cast holds: it was parsed from JSON. */
function read(answer: Answered): JsonObject {
  return assume<JsonObject>(answer.body);
}

/** What it is, without what is counted at each change. */
function kept(answer: Answered): JsonObject {
  return { ...read(answer), version: null, updated_at: null };
}

async function openCart() {
  const prices = [{ currency: "USD", amount: 12 }];
  const [jug, cup] = await Promise.all(
    ["Jug", "Cup"].map((name) => shop.post("/v2/products", { name, variants: [{ prices }] })),
  );
  const lines = [jug, cup].map((one) => ({ variant_id: one?.string("/variants/0/id") }));
  const made = await shop.post("/v2/carts", {
    line_items: lines.map((line) => ({ ...line, quantity: 2 })),
    email: "esi@example.com",
    discount_codes: ["NONE"],
  });
  expect([made.status, made.text]).toEqual([201, made.text]);
  return { path: `/v2/carts/${made.id}`, body: read(made) };
}

test.each(resources)("the whole body of %s changes nothing", async (path, { at, made }) => {
  const parent = at === undefined ? path : await at();
  const own = `${parent}/${(await shop.post(parent, await made())).id}`;
  const before = await shop.get(own);

  const again = await shop.put(own, read(before));

  expect([again.status, again.text]).toEqual([200, again.text]);
  expect(kept(await shop.get(own))).toEqual(kept(before));
});

const others: Readonly<Record<string, () => Promise<string>>> = {
  "the store": async () => Promise.resolve("/v2/store"),
  "the message hook": async () => {
    await shop.put("/v2/message-hook", { url: "https://shop.example/hook" });
    return "/v2/message-hook";
  },
  "a level of stock": async () => {
    const made = await shop.post("/v2/products", { name: "Pan", variants: [{ stock: 3 }] });
    return `/v2/inventory/${made.string("/variants/0/id")}`;
  },
  "a picture": async () => {
    const text = Uint8Array.from(await picture("png", 7));
    const headers = { "Content-Type": "image/png" };
    return `/v2/media/${(await shop.send("POST", "/v2/media", { text, headers })).id}`;
  },
};

test.each(Object.entries(others))("the whole body of %s changes nothing", async (_, pathOf) => {
  const path = await pathOf();
  const before = await shop.get(path);

  const again = await shop.put(path, read(before));

  expect([again.status, again.text]).toEqual([200, again.text]);
  expect(kept(await shop.get(path))).toEqual(kept(before));
});

describe("a whole body", () => {
  test("that differs in one value changes this value alone", async () => {
    const made = await shop.post("/v2/customers", { name: "Ama", email: "ama.whole@example.com" });
    const path = `/v2/customers/${made.id}`;

    const changed = await shop.put(path, { ...read(made), name: "Ama B." });

    expect(changed.body).toEqual({
      ...read(made),
      name: "Ama B.",
      version: 2,
      updated_at: changed.at("/updated_at"),
    });
  });

  test("changes a member of a row, whose prices and totals stay what they are told", async () => {
    const { path, body } = await openCart();
    const [jug, cup] = assume<JsonObject[]>(body["line_items"]);

    const changed = await shop.put(path, {
      ...body,
      line_items: [{ ...jug }, { ...cup, quantity: 3 }],
    });

    expect([changed.status, changed.text]).toEqual([200, changed.text]);
    expect(changed.list("/line_items").map((line) => Object(line).quantity)).toEqual([2, 3]);
  });

  test("leaves out a row, and the others are known by their ids", async () => {
    const { path, body } = await openCart();
    const [, cup] = assume<JsonObject[]>(body["line_items"]);

    const changed = await shop.put(path, { ...body, line_items: [{ ...cup }] });

    expect([changed.status, changed.text]).toEqual([200, changed.text]);
    expect(changed.list("/line_items").map((line) => Object(line).id)).toEqual([cup?.["id"]]);
  });

  test("is refused for each value that only answers have and that is another one", async () => {
    const { path, body } = await openCart();
    const [jug, cup] = assume<JsonObject[]>(body["line_items"]);

    const refused = await shop.put(path, {
      ...body,
      total: 1,
      line_items: [{ ...jug, total: 1 }, { ...cup }],
      version: 7,
      colour: "red",
    });

    expect([refused.status, refused.faults.toSorted()]).toEqual([
      422,
      [
        "#/colour unknown_field",
        "#/line_items/0/total unknown_field",
        "#/total unknown_field",
        "#/version unknown_field",
      ],
    ]);
    expect((await shop.get(path)).body).toEqual(body);
  });

  test("that another change made old is refused", async () => {
    const made = await shop.post("/v2/customers", {
      name: "Efua",
      email: "efua.whole@example.com",
    });
    const path = `/v2/customers/${made.id}`;
    await shop.put(path, { name: "Efua A." });

    const late = await shop.put(path, { ...read(made), tags: ["vip"] });

    expect(late.faults).toEqual(["#/version unknown_field"]);
  });

  test("is answered again to a retry, although what it tells is old by then", async () => {
    const made = await shop.post("/v2/customers", { name: "Yaa", email: "yaa.whole@example.com" });
    const headers = { "Idempotency-Key": `whole-${made.id}` };
    const send = () =>
      shop.put(`/v2/customers/${made.id}`, { ...read(made), name: "Yaa B." }, { headers });

    const [first, second] = [await send(), await send()];

    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
  });

  test("of nothing that there is, is refused as any other", async () => {
    const made = await shop.post("/v2/customers", {
      name: "Adwoa",
      email: "adwoa.whole@example.com",
    });
    await shop.delete(`/v2/customers/${made.id}`);

    const refused = await shop.put(`/v2/customers/${made.id}`, read(made));

    expect([refused.status, refused.code]).toEqual([404, "customer_not_found"]);
  });
});

test("a body that has only some of what is told is refused, also where nothing differs", async () => {
  const made = await shop.post("/v2/customers", { name: "Kojo", email: "kojo.whole@example.com" });

  const refused = await shop.put(`/v2/customers/${made.id}`, { name: "Kojo", orders_count: 0 });

  expect(refused.faults).toEqual(["#/orders_count unknown_field"]);
});

test("a visitor sends the cart back as a publishable key is told it", async () => {
  const { path } = await openCart();
  const key = await shop.createKey({ kind: "publishable", scopes: ["storefront"] });
  const before = await shop.get(path, { key });

  const again = await shop.put(path, { ...read(before), notes: "Ring twice." }, { key });

  expect([again.status, again.at("/notes"), again.at("/rejected_codes")]).toEqual([
    200,
    "Ring twice.",
    before.at("/rejected_codes"),
  ]);
});
