// The cart of the shop, by its forms: as a visitor without script fills it and goes on to the checkout.

import { beforeAll, describe, expect, test } from "bun:test";

import { kanga, mug } from "../support/cast.ts";
import { openTestShop, sharedShop } from "../support/shop.ts";
import { Visitor } from "./visitor.ts";

const shop = sharedShop();
let visitor: Visitor;

/** The quantities that the cart shows. */
async function quantities(): Promise<readonly number[]> {
  const { html } = await visitor.get("/cart");
  const shown = html.matchAll(/name="quantity" type="number"[^>]* value="(\d+)"/g);
  return [...shown].map(([, quantity]) => Number(quantity));
}

/** The id of the only line. */
async function lineId(): Promise<string> {
  return /name="line" value="(\w+)"/.exec((await visitor.get("/cart")).html)?.[1] ?? "";
}

async function shirt() {
  const number = shop.nextNumber() ?? 0;
  const { id } = await shop.post("/v2/products", {
    name: `Shirt ${number}`,
    options: [
      { name: "Size", values: ["S", "M"] },
      { name: "Color", values: ["Red", "Blue"] },
    ],
    variants: [
      { options: { Size: "S", Color: "Red" }, prices: [{ amount: 5 }], stock: 5 },
      { options: { Size: "M", Color: "Blue" }, prices: [{ amount: 7 }], stock: 5 },
    ],
    status: "active",
  });
  return id;
}

describe("a visitor", () => {
  beforeAll(() => {
    visitor = new Visitor(shop);
  });

  test("adds, and is led to a cart that a cookie knows and no script reads", async () => {
    visitor = new Visitor(shop);
    const { variantId, name } = await mug(shop);

    const { status, location, headers } = await visitor.post("/cart/add", {
      variant_id: variantId,
      quantity: "2",
    });
    const { html } = await visitor.get("/cart");

    expect([status, location]).toEqual([303, "/test/shop/cart"]);
    expect(headers.get("set-cookie")).toMatch(/; Path=\/test\/shop; HttpOnly; SameSite=Lax;/);
    expect(html).toContain(name);
    expect(html).toContain("25.00");
    expect(await quantities()).toEqual([2]);
  });

  test("adds by options the variant that has them all", async () => {
    visitor = new Visitor(shop);
    const productId = await shirt();

    await visitor.post("/cart/add", { product_id: productId, o0: "M", o1: "Blue" });

    expect((await visitor.get("/cart")).html).toContain("M / Blue");
  });

  test("who chooses a combination that there is not is told, and the cart stays", async () => {
    visitor = new Visitor(shop);
    const productId = await shirt();

    const { status, html } = await visitor.post("/cart/add", {
      product_id: productId,
      o0: "S",
      o1: "Blue",
    });

    expect(status).toBe(422);
    expect(html).toContain('role="alert"');
    expect(await quantities()).toEqual([]);
  });

  test("who presses twice adds once", async () => {
    visitor = new Visitor(shop);
    const [first, second] = [await mug(shop), await kanga(shop)];
    await visitor.post("/cart/add", { variant_id: first.variantId });

    const press = () => visitor.post("/cart/add", { variant_id: second.variantId });
    await Promise.all([press(), press()]);

    expect(await quantities()).toEqual([1, 1]);
  });

  test("changes a quantity, also typed in other digits, and takes a line out", async () => {
    visitor = new Visitor(shop);
    const { variantId } = await mug(shop);
    await visitor.post("/cart/add", { variant_id: variantId });

    await visitor.post("/cart/change", { line: await lineId(), quantity: "٣" });
    const changed = await quantities();
    await visitor.post("/cart/change", { line: await lineId(), quantity: "3", remove: "1" });

    expect(changed).toEqual([3]);
    expect(await quantities()).toEqual([]);
    expect((await visitor.get("/cart")).html).toContain("Your cart is empty.");
  });

  test("gives a code, sees what it takes off, and takes it back", async () => {
    visitor = new Visitor(shop);
    const { variantId } = await mug(shop, { price: 10 });
    await shop.post("/v2/discounts", {
      title: "Tenth",
      codes: ["TENTH"],
      target: "order",
      percent: 10,
    });
    await visitor.post("/cart/add", { variant_id: variantId });

    await visitor.post("/cart/code", { code: "tenth" });
    const given = await visitor.get("/cart");
    await visitor.post("/cart/code", { drop: "TENTH" });
    const back = await visitor.get("/cart");

    expect(given.html).toContain("9.00");
    expect(back.html).not.toContain("9.00");
  });

  test("is told of a code that takes nothing off", async () => {
    visitor = new Visitor(shop);
    const { variantId } = await mug(shop);
    await visitor.post("/cart/add", { variant_id: variantId });

    await visitor.post("/cart/code", { code: "NONE" });

    expect((await visitor.get("/cart")).html).toContain("The code NONE takes nothing off now.");
  });

  test("goes on to the checkout of the cart, which its address opens", async () => {
    visitor = new Visitor(shop);
    const { variantId, name } = await mug(shop);
    await visitor.post("/cart/add", { variant_id: variantId });

    const { status, location } = await visitor.post("/cart/checkout", {});
    const page = await fetch(`${shop.url}${location}`);

    expect(status).toBe(303);
    expect(location).toStartWith("/checkout/");
    expect(await page.text()).toContain(name);
  });
});

describe("a form", () => {
  test.each(["/cart/add", "/cart/change", "/cart/code", "/cart/checkout"])(
    "to %s of another site changes nothing",
    async (path) => {
      const stranger = new Visitor(shop);

      const { status, headers } = await stranger.post(path, {}, "https://evil.example");

      expect(status).toBe(403);
      expect(headers.get("set-cookie")).toBeNull();
    },
  );

  test("that names no variant is refused in a sentence", async () => {
    const { status, html } = await new Visitor(shop).post("/cart/add", { variant_id: "nothing" });

    expect(status).toBe(422);
    expect(html).toContain('role="alert"');
  });

  test("is not read with GET", async () => {
    const { status, headers } = await new Visitor(shop).get("/cart/add");

    expect([status, headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });
});

describe("the bounds of publishable keys", () => {
  test("hold in the cart: more units than strangers may have leave it as it was", async () => {
    await using strict = await openTestShop();
    await strict.put("/v2/store", { enforce_limits: true });
    const { variantId } = await mug(strict, { stock: 100 });
    const stranger = new Visitor(strict);
    await stranger.post("/cart/add", { variant_id: variantId, quantity: "12" });

    const { status, html } = await stranger.post("/cart/add", {
      variant_id: variantId,
      quantity: "9",
    });

    expect(status).toBe(422);
    expect(html).toContain("That is more than one order may have.");
    expect(html).toMatch(/type="number"[^>]* value="12"/);
  });

  test("hold for pages: each is one read, however much it asks", async () => {
    await using strict = await openTestShop({
      settings: { DUKA_ADDRESS_READS_PER_MINUTE: "3", DUKA_TRUSTED_PROXIES: "127.0.0.1" },
    });
    await strict.put("/v2/store", { enforce_limits: true });
    const headers = { "X-Forwarded-For": "203.0.113.7" };
    const stranger = new Visitor(strict);

    const statuses = [];
    for (const path of ["", "/c", "/search?q=mug", ""]) {
      statuses.push((await stranger.get(path, headers)).status);
    }

    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});
