// What the gateway tells of money that arrived: how it was paid, when, and what the gateway keeps of it.

import { describe, expect, test } from "bun:test";

import { auditPayments } from "#payments/reconciliation/audit-payments.ts";

import { fulfill } from "../../sales/orders/counter.ts";
import { tamper } from "../../support/behind-the-shop.ts";
import type { ScriptedGateway } from "../../support/scripted-gateway.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import {
  initialize,
  notify,
  openScriptedShop,
  orderCounter,
  paidAtGateway,
  pass,
  type ScriptedShop,
  settle,
  sharedScriptedShop,
} from "../scripted-shop.ts";

const shared = sharedScriptedShop();

const link = { amount: 20, currency: "USD" };
const paidAt = Date.parse("2026-01-05T12:00:03Z");
const card = { brand: "visa", last4: "4242", country: "GH" };

/** A payment whose gateway tells these facts. */
async function toldPayment(scripted: ScriptedShop, facts: ScriptedGateway["facts"]) {
  const { shop, gateway } = scripted;
  const { id } = await initialize(shop, link);
  gateway.facts = facts;
  await paidAtGateway(scripted, id);
  return { shop, gateway, id };
}

const reportedOf = async (shop: TestShop, id: string) => {
  const payment = await shop.get(`/v2/payments/${id}`);
  return ["fee", "instrument", "paid_at"].map((name) => payment.at(`/${name}`));
};

const reported = [
  { amount: 0.61, amount_minor: 61, currency: "USD" },
  { kind: "card", brand: "visa", last4: "4242", country: "GH" },
  "2026-01-05T12:00:03.000Z",
];

describe("a payment that succeeded", () => {
  test("tells its fee, what it was paid with and when, in its event, too", async () => {
    const opened = await toldPayment(shared, {
      paidAt,
      channel: "card",
      instrument: card,
      feeMinor: 61,
    });
    const { shop } = opened;

    const events = await shop.announced();

    expect(await reportedOf(shop, opened.id)).toEqual(reported);
    const paid = events.find(({ event }) => event === "payment.succeeded");
    expect(paid?.data).toMatchObject({
      fee: reported[0],
      instrument: reported[1],
      paid_at: reported[2],
    });
  });

  test("tells nothing where its gateway tells nothing", async () => {
    const opened = await toldPayment(shared, {
      paidAt: null,
      channel: null,
      instrument: null,
      feeMinor: null,
    });
    const { shop } = opened;

    expect(await reportedOf(shop, opened.id)).toEqual([null, null, null]);
  });

  test("records a fee that its gateway reports later, and keeps what it knew", async () => {
    const opened = await toldPayment(await openScriptedShop(), {
      paidAt,
      channel: "card",
      instrument: card,
      feeMinor: null,
    });
    await using shop = opened.shop;
    expect(await reportedOf(shop, opened.id)).toEqual([null, reported[1], reported[2]]);
    opened.gateway.facts = { paidAt: null, channel: null, instrument: null, feeMinor: 61 };

    shop.clock.advance(11_000);
    await notify(shop, opened.gateway, { payment: opened.id, id: "settled" });
    await settle(shop);

    expect(await reportedOf(shop, opened.id)).toEqual(reported);
  });

  test("keeps no more of a card than its last four digits", async () => {
    const opened = await toldPayment(shared, {
      paidAt,
      channel: "4242 4242 4242 4242",
      instrument: { brand: "visa 4242424242424242", last4: "4242424242424242", country: "Ghana" },
      feeMinor: -1,
    });
    const { shop } = opened;

    expect((await reportedOf(shop, opened.id)).slice(0, 2)).toEqual([
      null,
      { kind: "[masked]", brand: "visa [masked]", last4: null, country: null },
    ]);
  });

  test("does not tell a publishable key of the fee, nor of the card", async () => {
    const { shop, gateway } = shared;
    const key = await shop.createKey({ scopes: ["storefront"] });
    const order = await (await orderCounter(shop))();
    const asked = { order_id: order.id, method: "gateway" };
    const { id } = await shop.post("/v2/payments/initialize", asked, { key });
    gateway.facts = { paidAt, channel: "card", instrument: card, feeMinor: 61 };
    await paidAtGateway(shared, id);

    const seen = await shop.get(`/v2/payments/${id}`, { key });

    expect(seen.at("/status")).toBe("succeeded");
    expect(["fee", "instrument", "paid_at"].map((name) => seen.at(`/${name}`))).toEqual([
      null,
      null,
      null,
    ]);
  });
});

test("more money back than came, of which no person was told, is found by the check", async () => {
  const opened = await toldPayment(await openScriptedShop(), {
    paidAt,
    channel: null,
    instrument: null,
    feeMinor: null,
  });
  await using shop = opened.shop;

  await tamper(shop.folder.path, "UPDATE payments SET returned_minor = 2500");

  const differences = await Array.fromAsync(auditPayments(shop.test.database.read));
  expect(differences).toContainEqual({
    subject: opened.id,
    what: "money that went back at scripted",
    expected: "at most 2000",
    found: 2500,
  });
});

test("an erased customer's card is not told any more, in no payment and no event", async () => {
  const { shop: opened, gateway } = await openScriptedShop();
  await using shop = opened;
  const customer = await shop.post("/v2/customers", { email: "ada@example.com" });
  const order = await (await orderCounter(shop))({ customer: null, customer_id: customer.id });
  const { id } = await initialize(shop, { order_id: order.id });
  gateway.facts = { paidAt, channel: "card", instrument: card, feeMinor: 61 };
  gateway.pay(id);
  await pass(shop, 15);
  await fulfill(shop, order);

  const erased = await shop.post(`/v2/customers/${customer.id}/erase`);

  expect(erased.status).toBe(200);
  const payment = await shop.get(`/v2/payments/${id}`);
  expect([payment.at("/instrument/last4"), payment.at("/fee/amount_minor")]).toEqual([null, 61]);
  expect(JSON.stringify(await shop.events())).not.toContain("4242");
});

test("the simulated gateway tells plausible facts of a card and of a phone", async () => {
  await using shop = await openTestShop();
  const phone = { ...link, method: "mobile_money", phone: "+233551234987", provider: "mtn" };
  const byCard = await initialize(shop, { ...link, method: "card", card_token: "pm_card_visa" });
  const byPhone = await initialize(shop, phone);
  await pass(shop, 20);

  const facts = [await reportedOf(shop, byCard.id), await reportedOf(shop, byPhone.id)];

  expect(facts).toEqual([
    [
      { amount: 0.39, amount_minor: 39, currency: "USD" },
      { kind: "card", brand: "visa", last4: "4242", country: "GH" },
      "2026-01-05T08:00:00.000Z",
    ],
    [
      { amount: 0.39, amount_minor: 39, currency: "USD" },
      { kind: "mobile_money", brand: "mtn", last4: "4987", country: null },
      "2026-01-05T08:00:05.000Z",
    ],
  ]);
});
