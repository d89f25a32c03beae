// Checkouts: their start, their abandonment after an hour, and their recovery.

import { describe, expect, test } from "bun:test";

import { signToken } from "#sales/links/link-token.ts";

import { ada, kanga, mug } from "../../support/cast.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { of } from "../orders/counter.ts";
import {
  abandonedCart,
  basket,
  cartInCheckout,
  change,
  checkout,
  complete,
  DAY_MS,
  HOUR_MS,
  later,
  MINUTE_MS,
  readCart,
  tokenOf,
} from "./basket.ts";

function recover(shop: TestShop, token: string, key = shop.key) {
  return shop.post("/v2/carts/recover", { token }, { key });
}

async function eventsDuring(shop: TestShop, milliseconds: number): Promise<string[]> {
  await shop.announced();
  await later(shop, milliseconds);
  return shop.announcedNames();
}

describe("a checkout", () => {
  test("starts once, and takes fields at any time", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const cart = await basket(shop, [of(cup, 2)]);
    await shop.announced();

    const started = await checkout(shop, cart, { email: "ada@example.com" });
    shop.clock.advance(MINUTE_MS);
    const again = await checkout(shop, cart, { payment_method: "card" });

    expect(started.body).toMatchObject({
      status: "checkout",
      email: "ada@example.com",
      checkout_started_at: "2026-01-05T08:00:00.000Z",
    });
    expect(again.body).toMatchObject({
      status: "checkout",
      payment_method: "card",
      checkout_started_at: "2026-01-05T08:00:00.000Z",
      version: 3,
    });
    expect(await shop.announced()).toMatchObject([
      {
        event: "checkout.started",
        data: {
          cart_id: cart.id,
          total: 25,
          customer: { id: null, email: "ada@example.com" },
          recovery_url: null,
        },
      },
    ]);
  });

  test("needs at least one line item", async () => {
    await using shop = await openTestShop();
    const cart = await basket(shop, []);

    const refused = await checkout(shop, cart, { email: "ada@example.com" });

    expect([refused.status, refused.code]).toEqual([409, "cart_empty"]);
    expect((await readCart(shop, cart)).body).toEqual(cart.body);
  });

  test("ends when the cart is emptied, and is not abandoned", async () => {
    await using shop = await openTestShop();
    const cart = await cartInCheckout(shop, [of(await mug(shop))]);

    const emptied = await change(shop, cart, { line_items: [] });

    expect(emptied.body).toMatchObject({ status: "active", checkout_started_at: null });
    expect(await eventsDuring(shop, HOUR_MS)).toEqual([]);
  });
});

describe("an abandoned checkout", () => {
  test("is announced once, after an hour, with contact, lines and recovery link", async () => {
    await using shop = await openTestShop();
    const [cup, customer] = [await mug(shop), await ada(shop)];
    const cart = await cartInCheckout(shop, [of(cup, 2)], { customer_id: customer });
    await shop.announced();

    await later(shop, HOUR_MS);
    await later(shop, DAY_MS);

    const [abandoned, ...more] = await shop.announced();
    const found = await readCart(shop, cart);
    expect(more).toEqual([]);
    expect(abandoned).toEqual({
      event: "cart.abandoned",
      data: {
        id: cart.id,
        cart_id: cart.id,
        order_id: null,
        source: "cart",
        channel: "online_store",
        line_items: found.at("/line_items"),
        discount_total: 0,
        discount_total_minor: 0,
        total: 25,
        total_minor: 2500,
        currency: "USD",
        customer: {
          id: customer,
          email: "ada@example.com",
          phone: "+233201234567",
          name: "Ada Mensah",
        },
        recovery_url: found.string("/recovery_url"),
      },
    });
    expect(found.at("/status")).toBe("abandoned");
    expect(found.string("/recovery_url")).toStartWith(`${shop.url}/recover/${cart.id}.`);
  });

  test("is not announced before the hour is over", async () => {
    await using shop = await openTestShop();
    const cart = await cartInCheckout(shop, [of(await mug(shop))]);

    expect(await eventsDuring(shop, 59 * MINUTE_MS)).toEqual([]);
    expect((await readCart(shop, cart)).at("/status")).toBe("checkout");
  });

  test("counts its hour from the start, whatever changes meanwhile", async () => {
    await using shop = await openTestShop();
    const cart = await cartInCheckout(shop, [of(await mug(shop))]);
    shop.clock.advance(50 * MINUTE_MS);
    await change(shop, cart, { email: "ada@example.com" });

    expect(await eventsDuring(shop, 10 * MINUTE_MS)).toEqual(["cart.abandoned"]);
  });

  test("is not announced once the cart is completed", async () => {
    await using shop = await openTestShop();
    const cart = await cartInCheckout(shop, [of(await mug(shop))]);
    await complete(shop, cart, { payment_method: "cash_on_delivery" });

    expect(await eventsDuring(shop, DAY_MS)).toEqual([]);
  });

  test("is announced without a customer if none was named", async () => {
    await using shop = await openTestShop();
    await cartInCheckout(shop, [of(await mug(shop))]);
    await shop.announced();

    await later(shop, HOUR_MS);

    expect(await shop.announced()).toMatchObject([
      { data: { customer: { id: null, email: null, phone: null, name: null } } },
    ]);
  });

  test("is announced at the current prices", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    await cartInCheckout(shop, [of(cup, 2)]);
    await shop.put(`/v2/products/${cup.productId}/variants/${cup.variantId}`, {
      prices: [{ currency: "USD", amount: 15 }],
    });
    await shop.announced();

    await later(shop, HOUR_MS);

    expect(await shop.announced()).toMatchObject([{ data: { total: 30 } }]);
  });

  test("links to the merchant's own page", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { recovery_url_template: "https://shop.example/#/back/{token}" });

    const cart = await abandonedCart(shop, [of(await mug(shop))]);

    expect(cart.string("/recovery_url")).toStartWith(`https://shop.example/#/back/${cart.id}.`);
  });
});

test.each(["shop.example/back", "ftp://shop.example", "https://[/back", "https://a b/"])(
  "a recovery page at %s is refused",
  async (template) => {
    await using shop = await openTestShop();

    const refused = await shop.put("/v2/store", { recovery_url_template: template });

    expect(refused.faults).toEqual(["#/recovery_url_template invalid_format"]);
  },
);

describe("a recovered cart", () => {
  test("is announced once, and may be abandoned again", async () => {
    await using shop = await openTestShop();
    const cart = await abandonedCart(shop, [of(await mug(shop))]);
    await shop.announced();

    const back = await checkout(shop, cart);
    await checkout(shop, cart);

    expect(back.body).toMatchObject({
      status: "checkout",
      checkout_started_at: "2026-01-05T09:00:00.000Z",
    });
    expect(await shop.announced()).toMatchObject([
      { event: "cart.recovered", data: { cart_id: cart.id, order_id: null } },
    ]);
    expect(await eventsDuring(shop, HOUR_MS)).toEqual(["cart.abandoned"]);
  });

  test("is announced with its order when it is completed at once", async () => {
    await using shop = await openTestShop();
    const cart = await abandonedCart(shop, [of(await mug(shop))]);
    await shop.announced();

    const order = await complete(shop, cart);

    expect(await shop.announced()).toMatchObject([
      { event: "order.placed", data: { order_id: order.id } },
      { event: "cart.recovered", data: { cart_id: cart.id, order_id: order.id } },
    ]);
  });

  test("is not announced for a change or an opened link", async () => {
    await using shop = await openTestShop();
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const cart = await abandonedCart(shop, [of(cup)]);
    await shop.announced();

    const changed = await change(shop, cart, { line_items: [of(cup), of(cloth)] });
    await recover(shop, tokenOf(cart.string("/recovery_url")));

    expect(changed.at("/status")).toBe("abandoned");
    expect(await shop.announced()).toEqual([]);
  });
});

describe("a recovery link", () => {
  test("opens the cart and lists what changed since it was abandoned", async () => {
    await using shop = await openTestShop();
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const bowl = await mug(shop, { name: "Bowl", sku: "BOWL" });
    const cart = await abandonedCart(shop, [of(cup), of(cloth, 2), of(bowl)]);
    await shop.put(`/v2/products/${cup.productId}/variants/${cup.variantId}`, {
      prices: [{ currency: "USD", amount: "13.10" }],
    });
    await shop.put(`/v2/inventory/${cloth.variantId}`, { on_hand: 1 });
    await shop.put(`/v2/products/${bowl.productId}`, { status: "archived" });

    const found = await recover(shop, tokenOf(cart.string("/recovery_url")));

    expect(found.body).toMatchObject({ id: cart.id, status: "abandoned", total: 53.1 });
    expect(found.text).toContain('"before":12.50,"after":13.10');
    expect(found.at("/changes")).toEqual([
      { variant_id: cup.variantId, field: "unit_price", before: 12.5, after: 13.1 },
      { variant_id: cloth.variantId, field: "problem", before: null, after: "insufficient_stock" },
      { variant_id: bowl.variantId, field: "unit_price", before: 12.5, after: null },
      { variant_id: bowl.variantId, field: "problem", before: null, after: "variant_not_for_sale" },
    ]);
  });

  test("lists no changes if there are none, to a storefront too", async () => {
    await using shop = await openTestShop();
    const cart = await abandonedCart(shop, [of(await mug(shop))]);
    const key = await shop.createKey({ scopes: ["storefront"] });

    const found = await recover(shop, tokenOf(cart.string("/recovery_url")), key);

    expect([found.status, found.at("/changes")]).toEqual([200, []]);
  });

  test("names the order of a completed cart", async () => {
    await using shop = await openTestShop();
    const cart = await abandonedCart(shop, [of(await mug(shop))]);
    const order = await complete(shop, cart);

    const refused = await recover(shop, tokenOf(cart.string("/recovery_url")));

    expect(refused.body).toMatchObject({ code: "cart_completed", order_id: order.id });
  });

  test("expires after a month", async () => {
    await using shop = await openTestShop();
    const cart = await abandonedCart(shop, [of(await mug(shop))]);
    const token = tokenOf(cart.string("/recovery_url"));
    shop.clock.advance(20 * DAY_MS);
    // The change extends the expiry of the cart, but not that of the link.
    await change(shop, cart, { metadata: { seen: true } });
    shop.clock.advance(10 * DAY_MS - 1);

    const inTime = await recover(shop, token);
    shop.clock.advance(1);
    const late = await recover(shop, token);

    expect(inTime.status).toBe(200);
    expect([late.status, late.code]).toEqual([422, "recovery_link_expired"]);
  });

  test("of a deleted cart has expired", async () => {
    await using shop = await openTestShop();
    const cart = await abandonedCart(shop, [of(await mug(shop))]);
    await shop.delete(`/v2/carts/${cart.id}`);

    const refused = await recover(shop, tokenOf(cart.string("/recovery_url")));

    expect(refused.code).toBe("recovery_link_expired");
  });

  test("cannot be forged, altered, or used in the other mode", async () => {
    await using shop = await openTestShop();
    const cart = await abandonedCart(shop, [of(await mug(shop))]);
    const token = tokenOf(cart.string("/recovery_url"));
    const other = await basket(shop, []);
    const live = await shop.createKey({ mode: "live" });
    const forged = signToken(
      {
        purpose: "recovery link",
        subject: "cart_01h455vb4pex5vsknk084sn02q",
        until: 2 ** 42,
      },
      "guessed",
    );

    const refused = [
      await recover(shop, forged),
      await recover(shop, token.replace(cart.id, other.id)),
      await recover(shop, `${token.slice(0, -1)}~`),
      await recover(shop, token, live),
      await recover(shop, cart.id),
    ];

    expect(refused.map(({ status, code }) => `${status} ${code}`)).toEqual(
      Array.from({ length: 5 }, () => "422 recovery_link_invalid"),
    );
  });

  test("stays valid after a restart", async () => {
    await using shop = await openTestShop();
    const cart = await abandonedCart(shop, [of(await mug(shop))]);
    const token = tokenOf(cart.string("/recovery_url"));
    await using again = await openTestShop({ folder: await stopped(shop) });

    const found = await recover(again, token);

    expect(found.at("/id")).toBe(cart.id);
  });
});

/** Stops the shop and returns its data directory. */
async function stopped(shop: TestShop) {
  await shop.duka.stop();
  return shop.folder;
}

describe("a cart that is never completed", () => {
  test("expires a month after its last change, without an event", async () => {
    await using shop = await openTestShop();
    const cart = await basket(shop, [of(await mug(shop))]);
    shop.clock.advance(29 * DAY_MS);
    await change(shop, cart, { email: "ada@example.com" });

    expect(await eventsDuring(shop, 29 * DAY_MS)).toEqual([]);
    expect((await readCart(shop, cart)).at("/status")).toBe("active");
    expect(await eventsDuring(shop, DAY_MS)).toEqual([]);
    expect((await readCart(shop, cart)).body).toMatchObject({
      status: "expired",
      expires_at: null,
    });
  });

  test("expires after it was abandoned too, and its link with it", async () => {
    await using shop = await openTestShop();
    const cart = await abandonedCart(shop, [of(await mug(shop))]);
    await later(shop, 30 * DAY_MS - HOUR_MS);

    const refused = await recover(shop, tokenOf(cart.string("/recovery_url")));

    expect([refused.status, refused.code]).toEqual([409, "cart_expired"]);
  });

  test("cannot be changed, checked out or completed once it expired, but deleted", async () => {
    await using shop = await openTestShop();
    const cart = await basket(shop, [of(await mug(shop))]);
    await later(shop, 30 * DAY_MS);

    const answers = [
      await change(shop, cart, {}),
      await checkout(shop, cart),
      await complete(shop, cart),
    ];

    expect(answers.map(({ status, code }) => `${status} ${code}`)).toEqual(
      Array.from({ length: 3 }, () => "409 cart_expired"),
    );
    expect((await shop.delete(`/v2/carts/${cart.id}`)).status).toBe(204);
  });
});
