// The page of a recovery link in a shop that takes deposits.

import { describe, expect, test } from "bun:test";

import { openScriptedShop, pass } from "../payments/scripted-shop.ts";
import { readCart } from "../sales/carts/basket.ts";
import { of, place } from "../sales/orders/counter.ts";
import { mug } from "../support/cast.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { abandonedMugs, unpaidOrder } from "./abandoned-baskets.ts";

const shared = sharedShop({ asks: "nothing" });

const DAY_S = 86_400;

/** Sends the page's form. */
const send = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) });

const read = async (url: string) => (await fetch(url)).text();

const takeDeposits = (shop: TestShop) => shop.put("/v2/store", { deposit_percent: 40 });

/** The order that the cart became. */
async function orderOf(shop: TestShop, cart: Answered): Promise<unknown> {
  const { body } = await readCart(shop, cart);
  const { order_id } = Object(body);
  return order_id === null ? null : (await shop.get(`/v2/orders/${order_id}`)).body;
}

describe("the page offers the deposit beside the whole amount", () => {
  test("of a cart", async () => {
    await takeDeposits(shared);
    const { url } = await abandonedMugs(shared);

    const page = await read(url);

    expect(page).toContain("USD 25.00");
    expect(page).toContain("Pay only the deposit of USD 10.00 now");
  });

  test("of an unpaid order", async () => {
    await takeDeposits(shared);
    const { url } = await unpaidOrder(shared);

    expect(await read(url)).toContain("Pay only the deposit of USD 5.00 now");
  });

  test("and not in a shop that asks for all", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const { url } = await abandonedMugs(shop);

    expect(await read(url)).not.toContain("deposit");
  });
});

describe("a customer who pays the deposit", () => {
  const deposit = { method: "gateway", amount: "USD 25.00", deposit: "USD 10.00" };

  test("has an order that is kept, and sees the rest to pay", async () => {
    const { shop, gateway } = await openScriptedShop();
    await using _ = shop;
    await takeDeposits(shop);
    const { cart, url } = await abandonedMugs(shop);

    const sent = await send(url, deposit);
    const payment = await shop.get("/v2/payments");
    gateway.pay(payment.string("/data/0/id"));
    await pass(shop, 15);
    await pass(shop, 5 * DAY_S);

    const page = await read(url);
    expect(sent.status).toBe(303);
    expect(payment.at("/data/0/amount")).toBe(10);
    expect(await orderOf(shop, cart)).toMatchObject({ status: "open", due: 15, deposit_due: 0 });
    expect(page).toContain("USD 15.00");
    expect(page).not.toContain("Pay only the deposit");
  });

  test("by a transfer sees how much to send", async () => {
    await takeDeposits(shared);
    const { url } = await abandonedMugs(shared);

    await send(url, { ...deposit, method: "bank_transfer" });

    expect(await read(url)).toContain("The amount of this payment is USD 10.00.");
  });

  test("may pay all in place of it, and is asked once", async () => {
    await takeDeposits(shared);
    const { cart, url } = await abandonedMugs(shared);
    await send(url, { ...deposit, method: "bank_transfer" });

    const all = await send(url, { method: "bank_transfer", amount: "USD 25.00" });

    const order = (await readCart(shared, cart)).string("/order_id");
    const payments = (await shared.get(`/v2/payments?order_id=${order}`)).list("/data");
    expect(all.status).toBe(303);
    expect(payments).toMatchObject([
      { status: "pending", amount: 25 },
      { status: "cancelled", amount: 10 },
    ]);
  });

  test("cannot pay it on delivery", async () => {
    await takeDeposits(shared);
    const { cart, url } = await abandonedMugs(shared);

    const refused = await send(url, { ...deposit, method: "cash_on_delivery" });

    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("The deposit is due before delivery.");
    expect(await orderOf(shared, cart)).toBeNull();
  });

  test("after the shop changed its share sees the page again", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await takeDeposits(shop);
    const { cart, url } = await abandonedMugs(shop);
    await shop.put("/v2/store", { deposit_percent: 50 });

    const refused = await send(url, deposit);

    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain("Pay only the deposit of USD 12.50 now");
    expect(await orderOf(shop, cart)).toBeNull();
  });
});

describe("the page of an order by hand", () => {
  /** The page of an order of 12.50 in this method. */
  async function readOrder(shop: TestShop, payment_method: string): Promise<string> {
    const order = await place(shop, [of(await mug(shop))], { payment_method });
    return read(order.string("/status_url"));
  }

  test("names the deposit that keeps the order", async () => {
    await takeDeposits(shared);

    const page = await readOrder(shared, "bank_transfer");

    expect(page).toContain("A deposit of USD 5.00 is enough for the shop to keep your order.");
  });

  test("asks for the deposit before a delivery that is paid in cash", async () => {
    await takeDeposits(shared);

    const page = await readOrder(shared, "cash_on_delivery");

    expect(page).toContain("The shop asks for a deposit of USD 5.00 before the delivery");
  });

  test("names none in a shop that asks for all", async () => {
    await using shop = await openTestShop({ asks: "nothing" });

    expect(await readOrder(shop, "bank_transfer")).not.toContain("deposit");
  });

  test("names none where the deposit is what the customer promised to pay", async () => {
    await takeDeposits(shared);
    const order = await place(shared, [of(await mug(shared))], { payment_method: "bank_transfer" });
    await shared.post("/v2/payments/initialize", { order_id: order.id, deposit: true });

    const page = await read(order.string("/status_url"));

    expect(page).toContain("The amount of this payment is USD 5.00.");
    expect(page).not.toContain("is enough for the shop");
  });
});
