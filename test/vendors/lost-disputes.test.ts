// A dispute of which every notice was lost is found in the gateway's own list.

import { describe, expect, test } from "bun:test";

import { API_VERSION } from "#payments/gateways/stripe/calls.ts";
import { findDisputed } from "#payments/reconciliation/listed-returns.ts";
import { findUnnoticedJob } from "#payments/routes/jobs.ts";

import { settle } from "../payments/scripted-shop.ts";
import type { TestShop } from "../support/shop.ts";
import { openPaystackShop, payOnPage as payAtPaystack } from "./paystack/paystack-shop.ts";
import { openStripeShop, payByCard } from "./stripe/stripe-shop.ts";

/** A shop with a paid order, and its bank. */
interface Disputable extends AsyncDisposable {
  readonly shop: TestShop;
  readonly orderId: string;
  /** The payer's bank asks for the money back, and no notice arrives. */
  readonly dispute: () => void;
  /** Someone else's payment at the same account is disputed. */
  readonly disputeOther: () => Promise<void>;
  /** The vendor's present time, epoch milliseconds. */
  readonly now: () => number;
  /** Requests about the disputes of one payment. */
  readonly polls: () => number;
}

const vendors: Readonly<Record<string, () => Promise<Disputable>>> = {
  paystack: async () => {
    const opened = await openPaystackShop();
    const { shop, face } = opened;
    const { id } = await opened.order({}, 2);
    await shop.post("/v2/payments/initialize", { order_id: id });
    payAtPaystack(opened);
    await opened.told();
    const [reference = ""] = face.account.transactions.keys();
    return Object.assign(opened, {
      orderId: id,
      dispute: () => void face.dispute(reference),
      disputeOther: async () => {
        const body = { email: "a@b.example", amount: 100, currency: "GHS", reference: "theirs" };
        await fetch(`${face.server.url}/transaction/initialize`, {
          method: "POST",
          headers: { Authorization: `Bearer ${face.secret}`, "Content-Type": "application/json" },
          body: JSON.stringify({ ...body, callback_url: "https://other.example/" }),
        });
        face.payOnPage("theirs", "pm_card_visa");
        face.dispute("theirs");
      },
      now: () => face.account.now(),
      polls: () =>
        face.server.asked.filter(({ path }) => path.startsWith("/dispute/transaction/")).length,
    });
  },
  stripe: async () => {
    const opened = await openStripeShop();
    const { face } = opened;
    const { id } = await opened.order({}, 2);
    await payByCard(opened, id);
    await opened.told();
    const [intent] = face.account.intents.all();
    return Object.assign(opened, {
      orderId: id,
      dispute: () => void face.dashboard.dispute(intent?.id ?? ""),
      disputeOther: async () => {
        const ask = async (path: string, params: Record<string, string>) =>
          fetch(`${face.server.url}/v1/payment_intents${path}`, {
            method: "POST",
            headers: { Authorization: `Bearer ${face.secret}`, "Stripe-Version": API_VERSION },
            body: new URLSearchParams(params),
          });
        const made = await ask("", { amount: "500", currency: "usd" });
        const theirs = String(Object(await made.json()).id);
        await ask(`/${theirs}/confirm`, {
          payment_method: "pm_card_visa",
          return_url: "https://other.example/",
        });
        face.dashboard.dispute(theirs);
      },
      now: () => face.account.now(),
      polls: () =>
        face.server.asked.filter(
          ({ path, query }) => path === "/v1/disputes" && query.includes("payment_intent="),
        ).length,
    });
  },
};

describe.each(Object.entries(vendors))("at %s, a dispute", (_, open) => {
  test("whose notices were lost is announced, and keeps its money from being refunded", async () => {
    await using opened = await open();
    const { shop, orderId } = opened;
    opened.dispute();

    await findDisputed(shop.test, opened.now());
    await settle(shop);

    const disputes = await shop.get("/v2/disputes");
    expect(disputes.list("/data")).toMatchObject([{ order_id: orderId, status: "open" }]);
    const events = await shop.get("/v2/events?event=payment.disputed");
    expect(events.list("/data")).toHaveLength(1);
    const refund = await shop.post(`/v2/orders/${orderId}/refunds`, {});
    expect([refund.status, refund.at("/code")]).toEqual([409, "payment_disputed"]);
  });

  test("that is known is not asked for once more", async () => {
    await using opened = await open();
    opened.dispute();
    await findDisputed(opened.shop.test, opened.now());
    await settle(opened.shop);
    const before = opened.polls();

    await findDisputed(opened.shop.test, opened.now());
    await settle(opened.shop);

    expect([before, opened.polls()]).toEqual([1, 1]);
  });

  test("of a payment of others at the same account is passed over", async () => {
    await using opened = await open();
    await opened.disputeOther();

    await findDisputed(opened.shop.test, opened.now());
    await settle(opened.shop);

    expect((await opened.shop.get("/v2/disputes")).list("/data")).toEqual([]);
  });

  test("of more than a month ago is not looked for", async () => {
    await using opened = await open();
    opened.dispute();

    await findDisputed(opened.shop.test, opened.now() + 31 * 86_400_000);
    await settle(opened.shop);

    expect(opened.polls()).toBe(0);
  });
});

test("a shop whose gateways have no list of disputes asks for none", async () => {
  await using opened = await openPaystackShop({ gateways: [] });

  await findUnnoticedJob([opened.shop.test]).run();

  expect(opened.face.server.asked).toEqual([]);
});
