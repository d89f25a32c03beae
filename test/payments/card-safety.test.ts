// Card numbers and tokens of test cards: what is refused before anything is kept, and what is masked.

import { describe, expect, test } from "bun:test";

import { rowsBehind, tablesBehind } from "../support/behind-the-shop.ts";
import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { openTestShop } from "../support/shop.ts";
import {
  initialize,
  openScriptedShop,
  orderCounter,
  paidAtGateway,
  sharedScriptedShop,
} from "./scripted-shop.ts";

const shared = sharedScriptedShop();

const link = { amount: 5, currency: "USD" };

class LiveGateway extends ScriptedGateway {
  override readonly mode = "live";
}

describe("a card number is refused", () => {
  test.each([
    ["in the token", { card_token: "c4242-4242-4242-4242" }, "#/card_token"],
    ["as the token", { card_token: "4242424242424242" }, "#/card_token"],
    ["as a token in groups", { card_token: "4242 4242 4242 4242" }, "#/card_token"],
    ["as the reference", { reference: "4242424242424242" }, "#/reference"],
    ["in the reference", { reference: "sale-4242.4242.4242.4242" }, "#/reference"],
    ["in metadata", { metadata: { note: "4242 4242 4242 4242" } }, "#/metadata/note"],
    [
      "in the address to return to",
      { return_url: "https://x.example/?c=4242424242424242" },
      "#/return_url",
    ],
  ])("%s", async (_, body, pointer) => {
    const { shop } = shared;

    const refused = await initialize(shop, { ...link, ...body }, `key-${shop.nextNumber()}`);

    expect(refused.status).toBe(422);
    expect(refused.faults).toContain(`${pointer} looks_like_a_card`);
    // Longer than the port number, which the response contains.
    expect(refused.text).not.toMatch(/4242[ .-]?4242/);
  });

  test("as the number of an order in another system", async () => {
    const { shop } = shared;

    const cart = await shop.post("/v2/carts", { external_id: "4242-4242-4242-4242" });
    const order = await shop.post("/v2/orders", {
      line_items: [{ name: "Mug", unit_price: 5, quantity: 1 }],
      external_id: "4242424242424242",
    });

    expect(cart.faults).toEqual(["#/external_id looks_like_a_card"]);
    expect(order.faults).toEqual(["#/external_id looks_like_a_card"]);
  });

  test("and no table of the shop has it then", async () => {
    const scripted = await openScriptedShop();
    await using shop = scripted.shop;

    await initialize(shop, { ...link, reference: "4242424242424242" }, "key-1");
    await initialize(shop, { ...link, metadata: { card: "4242 4242 4242 4242" } }, "key-2");

    for (const table of await tablesBehind(shop.folder.path)) {
      const rows = await rowsBehind(shop.folder.path, `SELECT * FROM "${table}"`);
      expect(JSON.stringify(rows)).not.toMatch(/4242 ?4242 ?4242/);
    }
  });

  test("and barcodes of products are not judged", async () => {
    const { shop } = shared;

    const made = await shop.post("/v2/products", {
      name: "Mug",
      variants: [{ sku: "MUG", barcode: "4242424242424242", prices: [] }],
    });

    expect([made.status, made.text]).toEqual([201, expect.stringContaining("4242424242424242")]);
  });
});

describe("a code of the gateway that quotes a card number", () => {
  test("is kept without it when a payment fails", async () => {
    const { shop, gateway } = shared;
    const placed = await (await orderCounter(shop))();
    gateway.nextAnswer = async () => ({
      kind: "declined",
      failureCode: "declined",
      gatewayCode: "lost_card 4242424242424242",
      names: [],
    });

    const payment = await initialize(shop, { order_id: placed.id });

    const rows = await rowsBehind(
      shop.folder.path,
      `SELECT gateway_code FROM payments WHERE id = '${payment.id}'`,
    );
    expect(payment.at("/status")).toBe("failed");
    expect(rows).toEqual([{ gateway_code: "lost_card [masked]" }]);
  });

  test("is told without it when a refund fails", async () => {
    const { shop, gateway } = shared;
    const payment = await initialize(shop, link);
    await paidAtGateway(shared, payment.id);
    gateway.nextRefund = {
      kind: "failed",
      gatewayCode: "no account for 4242 4242 4242 4242",
      gatewayRefundId: null,
    };

    const refund = await shop.post(`/v2/payments/${payment.id}/refunds`, {});

    expect(refund.at("/failure_reason")).toBe("no account for [masked]");
  });
});

test("the customer's code leaves no trace, not even in the hash of its request", async () => {
  await using shop = await openTestShop();
  const phone = { method: "mobile_money", phone: "+233551234985", provider: "mtn" };
  const payment = await initialize(shop, { amount: 5, currency: "GHS", ...phone });
  const path = `/v2/payments/${payment.id}/otp`;
  const submit = (otp: string) =>
    shop.post(path, { otp }, { headers: { "Idempotency-Key": "code-1" } });

  const first = await submit("000000");
  const again = await submit("123456");

  const request = ["POST", path, "", '{"otp":"000000"}'].join("\n");
  const hash = new Bun.CryptoHasher("sha256").update(request).digest("base64url");
  const tables = await tablesBehind(shop.folder.path);
  const rows = await Promise.all(
    tables.map((table) => rowsBehind(shop.folder.path, `SELECT * FROM ${table}`)),
  );
  expect(first.at("/next_action/type")).toBe("otp");
  expect([again.headers.get("idempotent-replayed"), again.text]).toEqual(["true", first.text]);
  expect(JSON.stringify(rows)).not.toContain(hash);
});

describe("a token of a test card", () => {
  const { shop, gateway } = sharedScriptedShop({}, new LiveGateway());

  test.each([
    "pm_card_visa",
    "pm_test_refundFails",
    "pm_usBankAccount_success",
    "ctoken_card_visa",
    "tok_visa",
    "tok_mastercard_debit",
    "tok_us",
    "tok_refundFail",
    "tok_pendingRefund",
    "tok_cvcCheckFail",
    "tok_avsZipFail",
    "tok_createDispute",
    "tok_bypassPending",
    "tok_domesticPricing",
    "tok_radarBlock",
    "tok_chargeCustomerFail",
  ])("%s is refused in live mode", async (token) => {
    const key = await shop.createKey({ mode: "live" });

    const refused = await shop.post(
      "/v2/payments/initialize",
      { ...link, card_token: token },
      { key },
    );

    expect([refused.status, refused.faults]).toEqual([
      422,
      ["#/card_token test_token_in_live_mode"],
    ]);
    expect(gateway.initiations).toBe(0);
  });

  test.each([
    "pm_1MqLiJLkdIwHu7ixUEgbFdYl",
    "tok_1N3T00LkdIwHu7ixt44h1F8k",
    "tok_avsTUVlkdIwHuixt",
    "ctoken_1NnQUf2eZvKYlo2CIObdtbnb",
  ])("is told from %s of a card of a customer", async (card_token) => {
    const key = await shop.createKey({ mode: "live" });

    const body = { ...link, card_token };
    const paid = await shop.post("/v2/payments/initialize", body, { key });

    expect([paid.status, gateway.initiations]).toEqual([201, 1]);
  });
});
