// The page of a recovery link offers every way to pay of the shop.

import { describe, expect, test } from "bun:test";

import type { AskedOfGateway, CurrencyTerms } from "#payments/port/gateway.ts";

import { abandonedCart, change, later, MINUTE_MS, readCart } from "../sales/carts/basket.ts";
import { of } from "../sales/orders/counter.ts";
import { kanga, mug } from "../support/cast.ts";
import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { CallbackGateway } from "../vendors/callback-gateway.ts";
import { abandonedMugs, reprice, unpaidOrder } from "./abandoned-baskets.ts";

const shared = sharedShop({ asks: "nothing" });

/** Sends the page's form. */
const send = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) });

const read = async (url: string) => (await fetch(url)).text();

/** The ways that a page offers, in their order. */
const offered = (page: string) =>
  [...page.matchAll(/name="method" value="([a-z_]+)"/g)].map(([, method]) => method);

/** A gateway of two networks. */
class PhoneGateway extends ScriptedGateway {
  override takes(asked: AskedOfGateway): CurrencyTerms | null {
    const { provider } = asked;
    return provider === null || provider === "mtn" || provider === "wave"
      ? super.takes(asked)
      : null;
  }
}

/** The order that the cart became. */
async function orderOf(shop: TestShop, cart: Answered): Promise<Answered> {
  const id = (await readCart(shop, cart)).string("/order_id");
  return shop.get(`/v2/orders/${id}`);
}

describe("the page offers", () => {
  test("the gateway's page first, then mobile money and what the shop takes by hand", async () => {
    const { url } = await abandonedMugs(shared);

    expect(offered(await read(url))).toEqual([
      "gateway",
      "mobile_money",
      "card",
      "cash_on_delivery",
      "bank_transfer",
    ]);
  });

  test("the labels of the shop", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const label = "MoMo & more";
    await shop.put("/v2/store", { payment_methods: { mobile_money: { label } } });
    const { url } = await abandonedMugs(shop);

    expect(await read(url)).toContain("MoMo &amp; more");
  });

  test("no method that the shop disabled", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const disabled = { enabled: false };
    await shop.put("/v2/store", {
      payment_methods: { mobile_money: disabled, cash_on_delivery: disabled },
    });
    const { url } = await abandonedMugs(shop);

    expect(offered(await read(url))).toEqual(["gateway", "card", "bank_transfer"]);
  });

  test("cash at the shop once the shop says where", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const instructions = "At our stall in Makola, row 7";
    await shop.put("/v2/store", { payment_methods: { cash: { instructions } } });
    const { url } = await abandonedMugs(shop);

    const page = await read(url);

    expect(offered(page)).toContain("cash");
    expect(page).toContain(instructions);
  });

  test("no gateway's way in a currency that the gateway does not take", async () => {
    await using shop = await openTestShop({
      asks: "nothing",
      gateways: [new CallbackGateway("secret")],
    });
    const { url } = await abandonedMugs(shop);

    expect(offered(await read(url))).toEqual(["cash_on_delivery", "bank_transfer"]);
  });

  test("the networks that the gateway takes", async () => {
    await using shop = await openTestShop({ asks: "nothing", gateways: [new PhoneGateway()] });
    const { url } = await unpaidOrder(shop);

    const page = await read(url);

    expect([...page.matchAll(/<option value="([a-z]+)"/g)].map(([, name]) => name)).toEqual([
      "mtn",
      "wave",
    ]);
  });

  test("the same ways for an unpaid order", async () => {
    const { url } = await unpaidOrder(shared);

    expect(offered(await read(url))).toContain("bank_transfer");
  });
});

describe("a customer who chooses", () => {
  test("a bank transfer has an order by hand, and sees where to pay and until when", async () => {
    await using shop = await openTestShop({ asks: "nothing", gateways: [] });
    const instructions = "GCB Bank <Osu>, account 1234";
    await shop.put("/v2/store", {
      payment_methods: { bank_transfer: { instructions } },
      timezone: "Asia/Kathmandu",
    });
    const { cart, url } = await abandonedMugs(shop);

    const answer = await send(url, { method: "bank_transfer" });

    const page = await read(url);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, url]);
    expect(page).toContain("GCB Bank &lt;Osu&gt;, account 1234");
    expect(page).toContain("The shop keeps your order until 8 January 2026 at 14:45 GMT+5:45.");
    expect((await orderOf(shop, cart)).body).toMatchObject({
      payment_method: "bank_transfer",
      payment_status: "pending",
    });
  });

  test("cash on delivery has an order that waits a week for the merchant", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const { cart, url } = await abandonedMugs(shop);

    await send(url, { method: "cash_on_delivery" });

    expect((await orderOf(shop, cart)).body).toMatchObject({
      payment_method: "cash_on_delivery",
      expires_at: "2026-01-12T09:00:00.000Z",
    });
    expect(await read(url)).toContain("Pay when your order arrives.");
  });

  test("mobile money approves it on the phone, and sees the order paid", async () => {
    const { cart, url } = await abandonedMugs(shared);

    await send(url, { method: "mobile_money", phone: "00233 (55) 123-4987", provider: "mtn" });
    const asked = await read(url);
    await later(shared, MINUTE_MS);

    expect(asked).toContain("Approve the payment on your phone.");
    expect(await read(url)).toContain(
      `Order #${(await orderOf(shared, cart)).number("/number")} is paid`,
    );
  });

  test("mobile money without a number is asked for it, and no order is placed", async () => {
    const { cart, url } = await abandonedMugs(shared);

    const answer = await send(url, { method: "mobile_money", phone: "055 123 4987" });

    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("Please enter the phone number with its country code");
    expect((await readCart(shared, cart)).at("/status")).toBe("abandoned");
  });

  test("mobile money writes the number as people of the country do", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await shop.put("/v2/store", { country: "GH" });
    const { url } = await abandonedMugs(shop);

    await send(url, { method: "mobile_money", phone: "055 123 4987", provider: "mtn" });

    expect(await read(url)).toContain("Approve the payment on your phone.");
  });

  test("a phone that cannot be read stays in the form, with its network", async () => {
    const { url } = await abandonedMugs(shared);

    const answer = await send(url, { method: "mobile_money", phone: "+12", provider: "telecel" });

    const page = (await answer.text()).replaceAll(/\s+/g, " ");
    expect(answer.status).toBe(422);
    expect(page).toContain('value="+12"');
    expect(page).toContain('<option value="telecel" selected>');
  });

  test("a way that the page does not offer is asked again, and no order is placed", async () => {
    const { cart, url } = await abandonedMugs(shared);

    const answer = await send(url, { method: "cash" });

    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("Please choose how you want to pay.");
    expect((await readCart(shared, cart)).at("/status")).toBe("abandoned");
  });

  test("after the amount has changed sees the page again, and no order is placed", async () => {
    const { cup, cart, url } = await abandonedMugs(shared);
    await reprice(shared, cup, "15.00");

    const answer = await send(url, { method: "cash_on_delivery", amount: "USD 25.00" });

    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain("The amount has changed since you opened this page.");
    expect((await readCart(shared, cart)).at("/status")).toBe("abandoned");
  });

  test("a card enters it on the gateway's page", async () => {
    const { cart, url } = await abandonedMugs(shared);

    const answer = await send(url, { method: "card" });

    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      expect.stringContaining(`${shared.url}/test/pay/`),
    ]);
    expect((await orderOf(shared, cart)).body).toMatchObject({ payment_method: "card" });
  });

  test("mobile money that is declined may try again", async () => {
    const { url } = await abandonedMugs(shared);
    await send(url, { method: "mobile_money", phone: "+233551234982", provider: "mtn" });
    await later(shared, MINUTE_MS);

    const page = await read(url);

    expect(page).toContain("Your last payment did not go through.");
    expect(offered(page)).toContain("mobile_money");
  });

  test("a code is taken in the digits of any script", async () => {
    const { cart, url } = await abandonedMugs(shared);
    await send(url, { method: "mobile_money", phone: "+233551234985", provider: "mtn" });

    const answer = await send(url, { otp: "١٢٣ ٤٥٦" });

    expect(answer.status).toBe(303);
    expect((await orderOf(shared, cart)).body).toMatchObject({ payment_status: "paid" });
  });

  test("a wrong form of code is asked for it again", async () => {
    const { url } = await abandonedMugs(shared);
    await send(url, { method: "mobile_money", phone: "+233551234985", provider: "mtn" });

    const answer = await send(url, { otp: "?" });

    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("Please enter the code as you received it");
  });
});

describe("what can no longer be sold", () => {
  test("is left out, and the page says so", async () => {
    const [cup, cloth] = [await mug(shared), await kanga(shared)];
    const cart = await abandonedCart(shared, [of(cup, 3), of(cloth)]);
    const url = cart.string("/recovery_url");
    await shared.put(`/v2/inventory/${cup.variantId}`, { on_hand: 2 });
    await shared.put(`/v2/products/${cloth.productId}`, { status: "archived" });

    const page = await read(url);
    await send(url, { method: "cash_on_delivery", amount: "USD 25.00" });

    expect(page).toContain(`Only 2 of ${cup.name} can be ordered now.`);
    expect(page).toContain("Your order continues without it.");
    expect(page).toContain("USD 25.00");
    expect((await orderOf(shared, cart)).body).toMatchObject({
      total: 25,
      line_items: [{ variant_id: cup.variantId, quantity: 2 }],
    });
  });

  test("shares the stock of a variant among its lines", async () => {
    const cup = await mug(shared);
    const cart = await abandonedCart(shared, [of(cup, 3), of(cup, 4)]);
    await shared.put(`/v2/inventory/${cup.variantId}`, { on_hand: 5 });

    await send(cart.string("/recovery_url"), { method: "cash_on_delivery" });

    expect((await orderOf(shared, cart)).body).toMatchObject({
      line_items: [{ quantity: 3 }, { quantity: 2 }],
    });
  });

  test("leaves nothing to order once it is everything", async () => {
    const { cup, cart, url } = await abandonedMugs(shared);
    await shared.put(`/v2/inventory/${cup.variantId}`, { on_hand: 0 });

    const answer = await send(url, { method: "cash_on_delivery" });

    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain("Nothing in this cart can be ordered now.");
    expect((await readCart(shared, cart)).at("/status")).toBe("abandoned");
  });

  test("changes nothing of a cart that is only opened", async () => {
    const { cup, cart, url } = await abandonedMugs(shared);
    await shared.put(`/v2/inventory/${cup.variantId}`, { on_hand: 1 });

    await read(url);

    expect((await readCart(shared, cart)).at("/line_items/0/quantity")).toBe(2);
  });
});

test("the page shows the shipping of the cart", async () => {
  const { cart, url } = await abandonedMugs(shared);
  await change(shared, cart, { shipping: { label: "Rider to Osu", amount: 3 } });

  const page = await read(url);

  expect(page).toContain("Rider to Osu");
  expect(page).toContain("USD 28.00");
});

test("the page of a cart that costs nothing offers to order it, and no way to pay", async () => {
  await using shop = await openTestShop({ asks: "nothing" });
  await shop.post("/v2/discounts", { title: "Gift", target: "order", percent: "100" });
  const { cart, url } = await abandonedMugs(shop);

  const page = await read(url);
  await send(url, { amount: "USD 0.00" });

  expect(offered(page)).toEqual([]);
  expect(page).toContain("Place the order</button>");
  expect(page).not.toContain("Continue to payment");
  expect((await orderOf(shop, cart)).body).toMatchObject({ payment_status: "paid", total: 0 });
});
