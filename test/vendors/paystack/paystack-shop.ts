// A test shop in Ghana whose gateway is Paystack's face, with its notices at the shop's door.

import {
  type FaceTerms,
  openPaystackFace,
  type PaystackFace,
} from "#mocks/paystack/paystack-face.ts";
import { openPaystack } from "#payments/gateways/paystack/paystack.ts";
import type { Gateway } from "#payments/port/gateway.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { initialize, orderCounter, pass, settle } from "../../payments/scripted-shop.ts";
import {
  type Answered,
  openTestShop,
  type TestShop,
  type TestShopOptions,
} from "../../support/shop.ts";
import { termsOf } from "./rig.ts";

export interface PaystackShop extends AsyncDisposable {
  readonly shop: TestShop;
  readonly face: PaystackFace;
  readonly gateway: Gateway;
  /** Places an order of mugs at 12.50 GHS. */
  readonly order: Awaited<ReturnType<typeof orderCounter>>;
  /** The vendor sends what waits, and the shop asks what became of it. */
  readonly told: () => Promise<number[]>;
  /** Time passes at the vendor and in the shop. */
  readonly pass: (seconds: number) => Promise<void>;
}

export async function openPaystackShop(
  given: TestShopOptions & FaceTerms = {},
): Promise<PaystackShop> {
  const face = await openPaystackFace(given);
  const gateway = openPaystack(termsOf(face));
  const shop = await openTestShop({ gateways: [gateway], ...given });
  face.notices.url = `${shop.url}/hooks/test/paystack`;
  await shop.put("/v2/store", { currency: "GHS", country: "GH" });
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
    pass: async (seconds) => {
      face.pass(seconds * 1000);
      await pass(shop, seconds);
    },
    [Symbol.asyncDispose]: async () => {
      await shop[Symbol.asyncDispose]();
      await face[Symbol.asyncDispose]();
    },
  };
}

/** Initializes a payment of the order by a phone of MTN whose number ends so. */
export function payByPhone({ shop }: PaystackShop, order: string, end = "87"): Promise<Answered> {
  const phone = `+2335512349${end}`;
  return initialize(shop, { order_id: order, method: "mobile_money", provider: "mtn", phone });
}

/** The payer of the newest page fills it in. */
export function payOnPage({ face }: PaystackShop, card = "pm_card_visa"): string | null {
  const pages = [...face.account.transactions.values()].filter(({ page }) => page !== null);
  return face.payOnPage(pages.at(-1)?.reference ?? "", card);
}

export async function ofOrder({ shop }: PaystackShop, id: string): Promise<unknown[]> {
  const order = await shop.get(`/v2/orders/${id}`);
  return [order.at("/payment_status"), order.at("/paid_total"), order.at("/refunded_total")];
}

/** The differences that the audits find, and those of the vendor's books. */
export async function faultsOf({ shop, face }: PaystackShop): Promise<unknown[]> {
  const { read } = shop.test.database;
  return [
    ...(await Array.fromAsync(auditOrders(read))),
    ...(await Array.fromAsync(auditPayments(read))),
    ...face.account.books.faults(),
  ];
}
