// A test shop whose gateway is Stripe's face, with its notices at the shop's door.

import type Stripe from "stripe";

import { openStripeFace, type StripeFace } from "#mocks/stripe/stripe-face.ts";
import { openStripe } from "#payments/gateways/stripe/stripe.ts";
import type { Gateway } from "#payments/port/gateway.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { initialize, orderCounter, settle } from "../../payments/scripted-shop.ts";
import {
  type Answered,
  openTestShop,
  type TestShop,
  type TestShopOptions,
} from "../../support/shop.ts";
import { until } from "../../support/until.ts";
import { termsOf, WEBHOOK_SECRET } from "./adapter.ts";

export interface StripeShop extends AsyncDisposable {
  readonly shop: TestShop;
  readonly face: StripeFace;
  readonly gateway: Gateway;
  /** Places an order of mugs at 12.50. */
  readonly order: Awaited<ReturnType<typeof orderCounter>>;
  /** The vendor sends what waits, and the shop asks what became of it. */
  readonly told: () => Promise<number[]>;
}

export async function openStripeShop(options: TestShopOptions = {}): Promise<StripeShop> {
  const face = await openStripeFace();
  const gateway = openStripe(termsOf(face));
  const shop = await openTestShop({ gateways: [gateway], ...options });
  face.addEndpoint(`${shop.url}/hooks/test/stripe`, WEBHOOK_SECRET);
  return {
    shop,
    face,
    gateway,
    order: await orderCounter(shop),
    told: async () => {
      shop.clock.advance(11_000);
      const statuses = await face.notices.send();
      await settle(shop);
      return statuses;
    },
    [Symbol.asyncDispose]: async () => {
      await shop[Symbol.asyncDispose]();
      await face[Symbol.asyncDispose]();
    },
  };
}

/** Initializes a payment of the order by this card. */
export function payByCard(
  { shop }: StripeShop,
  order: string,
  card_token = "pm_card_visa",
): Promise<Answered> {
  return initialize(shop, { order_id: order, method: "card", card_token });
}

/** Stripe sends these of its events, signed now, whatever else waits. Returns the statuses of the answers. */
export async function deliver(
  { shop, face }: StripeShop,
  ...events: readonly Stripe.EventBase[]
): Promise<number[]> {
  const statuses: number[] = [];
  for (const event of events) {
    const { headers, bytes: body } = face.notices.sign(event, WEBHOOK_SECRET);
    const url = `${shop.url}/hooks/test/stripe`;
    statuses.push((await fetch(url, { method: "POST", headers, body })).status);
  }
  return statuses;
}

/** What happened at Stripe of these types, oldest first. */
export function eventsAbout({ face }: StripeShop, types: RegExp): Stripe.EventBase[] {
  return face.notices.events.filter(({ type }) => types.test(type));
}

/** Waits until Stripe is asked for a path that ends so, after so many other requests. */
export async function asked({ face }: StripeShop, end: string, since = 0): Promise<void> {
  await until(
    () => face.server.asked.slice(since).at(-1)?.path.endsWith(end) === true,
    `Stripe was not asked for …${end}.`,
  );
}

/** The payer of the newest page fills it in. */
export async function payOnPage({ face }: StripeShop, card = "pm_card_visa"): Promise<string> {
  return face.payOnPage(face.account.sessions.all().at(-1)?.id ?? "", card);
}

export async function ofOrder({ shop }: StripeShop, id: string): Promise<unknown[]> {
  const order = await shop.get(`/v2/orders/${id}`);
  return [order.at("/payment_status"), order.at("/paid_total"), order.at("/refunded_total")];
}

/** The refunds of a payment: how each stands, its amount, and whether the shop did not make it. */
export async function refundsOf({ shop }: StripeShop, payment: string): Promise<string[]> {
  const whole = await shop.get(`/v2/payments/${payment}`);
  return whole
    .list("/refunds")
    .map(Object)
    .map(({ status, amount, external }) => `${status} ${amount}${external ? " elsewhere" : ""}`);
}

/** The differences that the audits find, and those of the vendor's books. */
export async function faultsOf({ shop, face }: StripeShop): Promise<unknown[]> {
  const { read } = shop.test.database;
  return [
    ...(await Array.fromAsync(auditOrders(read))),
    ...(await Array.fromAsync(auditPayments(read))),
    ...face.account.books.faults(),
  ];
}
