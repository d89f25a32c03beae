// Where money by hand goes: the accounts of a shop, and who is told of them.

import { describe, expect, test } from "bun:test";

import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

const PATH = "/v2/receiving-accounts";
const mtn = { method: "mobile_money", label: "MTN", instructions: "024 123 4567\nAma's Pots" };

interface OpenLive extends AsyncDisposable {
  readonly shop: TestShop;
  readonly merchant: { readonly key: string };
  readonly pages: { readonly key: string };
  readonly variantId: string;
}

/** A live shop that no gateway serves and that has written nothing about payment. */
async function openLive(): Promise<OpenLive> {
  const live = await openTestShop({ asks: "nothing" });
  const merchant = { key: await live.createKey({ mode: "live" }) };
  const pages = { key: await live.createKey({ mode: "live", scopes: ["storefront"] }) };
  const mug = await live.post("/v2/products", { name: "Mug", price: 12.5, stock: 10 }, merchant);
  return {
    shop: live,
    merchant,
    pages,
    variantId: mug.string("/variants/0/id"),
    [Symbol.asyncDispose]: () => live[Symbol.asyncDispose](),
  };
}

function order({ shop: live, pages, variantId }: OpenLive, payment_method: string) {
  return live.post(
    "/v2/orders",
    { line_items: [{ variant_id: variantId, quantity: 1 }], payment_method },
    pages,
  );
}

describe("an account", () => {
  test("is active, for all currencies and first in the list unless it says otherwise", async () => {
    const account = await shop.post(PATH, mtn);

    expect(account.status).toBe(201);
    expect(account.body).toMatchObject({ ...mtn, currencies: [], active: true, position: 0 });
    expect(account.id).toStartWith("rcv_");
  });

  test("keeps its method", async () => {
    const { id } = await shop.post(PATH, mtn);

    const moved = await shop.put(`${PATH}/${id}`, { method: "bank_transfer" });

    expect([moved.status, moved.faults]).toEqual([422, ["#/method unknown_field"]]);
  });

  test("is refused with all that is wrong with it", async () => {
    const refused = await shop.post(PATH, {
      method: "cash",
      label: "",
      currencies: ["GHS", "GHS"],
      position: -1,
    });

    expect(refused.status).toBe(422);
    const fields = refused.faults.map((fault) => fault.split(" ")[0]);
    expect(new Set(fields)).toEqual(
      new Set(["#/currencies", "#/instructions", "#/label", "#/method", "#/position"]),
    );
  });
});

test("a shop has at most 20 accounts", async () => {
  await using full = await openTestShop();
  for (let made = 0; made < 20; made += 1) await full.post(PATH, mtn);

  const refused = await full.post(PATH, mtn);

  expect([refused.status, refused.code]).toEqual([409, "receiving_account_limit"]);
});

describe("a customer of a live shop", () => {
  test("may pay by a method once it has an account, and is told all of its accounts in their order", async () => {
    await using live = await openLive();
    const before = await order(live, "mobile_money");
    await live.shop.post(PATH, { ...mtn, position: 2 }, live.merchant);
    const telecel = { method: "mobile_money", label: "Telecel", instructions: "020 765 4321" };
    await live.shop.post(PATH, { ...telecel, position: 1 }, live.merchant);

    const placed = await order(live, "mobile_money");
    const payment = await live.shop.post(
      "/v2/payments/initialize",
      { order_id: placed.id },
      live.pages,
    );
    const offered = await live.shop.get("/v2/payment-methods", live.pages);

    const told = [
      { label: "Telecel", instructions: "020 765 4321" },
      { label: "MTN", instructions: "024 123 4567\nAma's Pots" },
    ];
    expect(before.code).toBe("no_way_to_pay");
    expect([placed.status, payment.status]).toEqual([201, 201]);
    expect(payment.at("/next_action")).toMatchObject({
      type: "pay_by_hand",
      display_text: "Send the money to an account of the shop.",
      accounts: told,
    });
    expect(offered.list("/methods")).toMatchObject([
      { method: "mobile_money", instructions: null, accounts: told },
    ]);
  });

  test("reads the accounts on the page of the order", async () => {
    await using live = await openLive();
    await live.shop.post(PATH, mtn, live.merchant);
    const placed = await order(live, "mobile_money");

    const page = await fetch(placed.string("/status_url"));

    expect(await page.text()).toContain("024 123 4567\nAma&#x27;s Pots");
  });

  test("is told no account that is off, and none of another currency", async () => {
    await using live = await openLive();
    await live.shop.post(PATH, { ...mtn, active: false }, live.merchant);
    await live.shop.post(PATH, { ...mtn, currencies: ["XOF"] }, live.merchant);

    const refused = await order(live, "mobile_money");
    const inFrancs = await live.shop.get("/v2/payment-methods?currency=XOF", live.pages);

    expect(refused.code).toBe("payment_method_unavailable");
    expect(inFrancs.list("/methods")).toHaveLength(1);
  });

  test("is never told a card terminal", async () => {
    await using live = await openLive();
    await live.shop.post(PATH, { ...mtn, method: "card" }, live.merchant);

    expect((await order(live, "card")).code).toBe("no_way_to_pay");
  });

  test("keeps what was told when the account is deleted", async () => {
    await using live = await openLive();
    const account = await live.shop.post(PATH, mtn, live.merchant);
    const placed = await order(live, "mobile_money");
    const started = { order_id: placed.id };
    const payment = await live.shop.post("/v2/payments/initialize", started, live.pages);

    await live.shop.delete(`${PATH}/${account.id}`, live.merchant);

    const after = await live.shop.get(`/v2/payments/${payment.id}`, live.pages);
    expect(after.at("/next_action/accounts/0/label")).toBe("MTN");
    expect((await order(live, "mobile_money")).code).toBe("no_way_to_pay");
  });
});

test("a key without store:write adds no account, and one of the pages reads none", async () => {
  const reader = { key: await shop.createKey({ scopes: ["store:read"] }) };
  const pages = { key: await shop.createKey({ scopes: ["storefront"] }) };

  expect((await shop.post(PATH, mtn, reader)).status).toBe(403);
  expect((await shop.get(PATH, pages)).status).toBe(403);
});
