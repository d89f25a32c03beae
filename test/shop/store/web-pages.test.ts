// A way to pay that exists: what the pages of a shop can be paid by, and that nothing is held where it is by nothing.

import { describe, expect, test } from "bun:test";

import { openTestShop } from "../../support/shop.ts";

/** A live shop without a gateway, with a key of its pages and goods of 12.50 and of nothing. */
async function openLive() {
  const shop = await openTestShop({ asks: "nothing" });
  const merchant = await shop.createKey({ mode: "live" });
  const pages = await shop.createKey({ mode: "live", scopes: ["storefront"] });
  const byMerchant = { key: merchant };
  const product = (name: string, price: number) =>
    shop.post("/v2/products", { name, price, stock: 10 }, byMerchant);
  const [mug, sample] = [await product("Mug", 12.5), await product("Sample", 0)];
  const lineOf = (goods: typeof mug) => [
    { variant_id: goods.string("/variants/0/id"), quantity: 1 },
  ];
  return {
    shop,
    merchant: byMerchant,
    pages: { key: pages },
    mugs: lineOf(mug),
    samples: lineOf(sample),
    /** The units of the mug that no order holds. */
    left: async () =>
      (await shop.get(`/v2/inventory/${mug.string("/variants/0/id")}`, byMerchant)).at(
        "/available",
      ),
    methodsOf: async (key: { readonly key: string }) =>
      (await shop.get("/v2/payment-methods", key))
        .list("/methods")
        .map((one) => Object(one).method),
    sets: (payment_methods: object) => shop.put("/v2/store", { payment_methods }, byMerchant),
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  };
}

describe("a live shop without a gateway", () => {
  test("whose merchant said nothing takes no order and no payment of its pages, and holds no stock", async () => {
    await using live = await openLive();
    const { shop, merchant, pages, mugs } = live;
    const cart = await shop.post("/v2/carts", { line_items: mugs }, pages);
    const entered = await shop.post("/v2/orders", { line_items: mugs }, merchant);
    const before = await live.left();

    const refused = [
      await shop.post("/v2/orders", { line_items: mugs }, pages),
      await shop.post(`/v2/carts/${cart.id}/complete`, {}, pages),
      await shop.post("/v2/payments/initialize", { order_id: entered.id }, pages),
    ];

    expect(refused.map(({ status, code }) => [status, code])).toEqual(
      Array.from({ length: 3 }, () => [409, "no_way_to_pay"]),
    );
    expect(before).toBe(9);
    expect(await live.left()).toBe(9);
    expect((await shop.get("/v2/orders", merchant)).list("/data")).toHaveLength(1);
    expect(await live.methodsOf(pages)).toEqual([]);
  });

  test("is paid by its pages once the merchant wrote how", async () => {
    await using live = await openLive();
    const { shop, pages, mugs } = live;
    await live.sets({ bank_transfer: { instructions: "GH12 3456 7890" } });
    const body = { line_items: mugs, payment_method: "bank_transfer" };

    const placed = await shop.post("/v2/orders", body, pages);
    const payment = await shop.post("/v2/payments/initialize", { order_id: placed.id }, pages);
    const other = await shop.post("/v2/orders", { line_items: mugs }, pages);

    expect([placed.status, payment.status]).toEqual([201, 201]);
    expect(payment.at("/next_action/display_text")).toBe("GH12 3456 7890");
    expect([other.code, other.at("/available_methods")]).toEqual([
      "payment_method_unavailable",
      ["bank_transfer"],
    ]);
    expect(await live.methodsOf(pages)).toEqual(["bank_transfer"]);
  });

  test("takes what costs nothing", async () => {
    await using live = await openLive();
    const { shop, pages, samples } = live;
    const cart = await shop.post("/v2/carts", { line_items: samples }, pages);

    const placed = [
      await shop.post("/v2/orders", { line_items: samples }, pages),
      await shop.post(`/v2/carts/${cart.id}/complete`, {}, pages),
    ];

    expect(placed.map((order) => [order.status, order.at("/payment_status")])).toEqual(
      Array.from({ length: 2 }, () => [201, "paid"]),
    );
  });

  test("does for its merchant what it did, and shows them what its pages offer", async () => {
    await using live = await openLive();
    const { shop, merchant, pages, mugs } = live;
    await live.sets({ card: { storefront: true }, cash: { instructions: "12 Ring Road" } });

    const order = await shop.post("/v2/orders", { line_items: mugs }, merchant);
    const byCard = { order_id: order.id, method: "card" };
    const payment = await shop.post("/v2/payments/initialize", byCard, merchant);

    expect([order.status, payment.status, payment.at("/gateway")]).toEqual([201, 201, null]);
    expect(await live.methodsOf(merchant)).toEqual([
      "mobile_money",
      "card",
      "cash_on_delivery",
      "bank_transfer",
      "cash",
    ]);
    expect(await live.methodsOf(pages)).toEqual(["card"]);
    const ways = Object(await (await shop.get("/v2/store", merchant)).at("/payment_methods"));
    const onPages = Object.keys(ways).filter((method) => ways[method].storefront);
    expect(onPages).toEqual(["card"]);
  });

  test("that leaves payments to a gateway lacks the gateway", async () => {
    await using live = await openLive();
    const { shop, merchant, pages, mugs } = live;
    const order = await shop.post("/v2/orders", { line_items: mugs }, merchant);
    await live.sets({ gateway: { by: "gateway" } });

    const placed = await shop.post("/v2/orders", { line_items: mugs }, pages);
    const payment = await shop.post("/v2/payments/initialize", { order_id: order.id }, pages);

    expect([placed.code, payment.code]).toEqual(["no_way_to_pay", "gateway_not_configured"]);
  });
});

describe("the page of a gateway in a live shop without one", () => {
  test("is missing also to the merchant, who may have written instructions for it", async () => {
    await using live = await openLive();
    const { shop, merchant, mugs } = live;
    await live.sets({ gateway: { instructions: "Call us." } });
    const order = await shop.post("/v2/orders", { line_items: mugs }, merchant);

    const payment = await shop.post("/v2/payments/initialize", { order_id: order.id }, merchant);

    expect([order.status, order.at("/payment_method")]).toEqual([201, "gateway"]);
    expect([payment.status, payment.code]).toEqual([409, "gateway_not_configured"]);
    expect((await shop.get("/v2/payments", merchant)).list("/data")).toEqual([]);
  });

  test("does not keep the order from being paid another way", async () => {
    await using live = await openLive();
    const { shop, merchant, mugs } = live;
    const order = await shop.post("/v2/orders", { line_items: mugs }, merchant);

    const byTransfer = { order_id: order.id, method: "bank_transfer" };
    const payment = await shop.post("/v2/payments/initialize", byTransfer, merchant);

    expect([payment.status, payment.at("/next_action/type")]).toEqual([201, "pay_by_hand"]);
  });
});

test("the pages of a new test shop try what is paid at the door and by transfer, and what the gateway takes", async () => {
  await using shop = await openTestShop();
  const key = await shop.createKey({ scopes: ["storefront"] });

  const methods = (await shop.get("/v2/payment-methods", { key })).list("/methods");

  expect(methods.map((one) => Object(one).method)).toEqual([
    "mobile_money",
    "card",
    "gateway",
    "cash_on_delivery",
    "bank_transfer",
  ]);
});
