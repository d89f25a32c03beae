// What each event would say of made-up things. Invariant: every one of them is told by the builder
// that tells the real ones, so that a sample never has another shape.

import { inventoryLow } from "#catalog/inventory/events.ts";
import { productFact } from "#catalog/products/events.ts";
import { customerCreated, customerDeleted, customerUpdated } from "#customers/events.ts";
import { newId } from "#kernel/id.ts";
import type { EventName } from "#messaging/events/event.ts";
import { webhookDisabledEvent } from "#messaging/webhooks/endpoints/events.ts";
import { type Endpoint, FAILING_MS_MAX } from "#messaging/webhooks/endpoints/webhook.ts";
import { moneyReturned, paymentMoved } from "#payments/payments/events.ts";
import type { Announcement } from "#platform/database/database.ts";
import { cartMoved } from "#sales/carts/events.ts";
import {
  orderCancelled,
  orderFulfilled,
  orderPaid,
  orderPlaced,
  orderUpdated,
} from "#sales/orders/events.ts";

import { sampleLevel } from "./sample-goods.ts";
import {
  doubtedPayment,
  failedPayment,
  newPayment,
  paidPayment,
  wholeRefund,
} from "./sample-payments.ts";
import { sampleFulfillment, type SampleSale, sampleSale, type SampleTerms } from "./sample-sale.ts";

const HOUR_MS = 3_600_000;

const samples: Readonly<Record<EventName, (sale: SampleSale) => Announcement>> = {
  "order.placed": (sale) => orderPlaced(sale),
  "order.paid": (sale) => orderPaid(sale),
  "order.fulfilled": (sale) => orderFulfilled(sale.order, sampleFulfillment(sale)),
  "order.cancelled": ({ order }) => orderCancelled({ ...order, cancelReason: "customer" }, true),
  "order.updated": ({ order }) => orderUpdated(order, ["shipping_address"]),
  "order.refunded": (sale) => returnedSale(sale),
  "payment.initialized": (sale) =>
    paymentMoved("payment.initialized", newPayment(sale), sale.order),
  "payment.succeeded": (sale) => paymentMoved("payment.succeeded", paidPayment(sale), sale.order),
  "payment.failed": (sale) => paymentMoved("payment.failed", failedPayment(sale), sale.order),
  "payment.review": (sale) => paymentMoved("payment.review", doubtedPayment(sale), sale.order),
  "inventory.low": ({ variant }) => inventoryLow(sampleLevel(variant)),
  "product.created": ({ product }) => productFact("product.created", product),
  "product.updated": ({ product }) => productFact("product.updated", { ...product, version: 2 }),
  "product.archived": ({ product }) =>
    productFact("product.archived", { ...product, status: "archived", version: 2 }),
  "product.deleted": ({ product }) => productFact("product.deleted", product),
  "customer.created": ({ customer }) => customerCreated(customer),
  "customer.updated": ({ customer }) =>
    customerUpdated({ ...customer, marketingConsent: true, version: 2 }),
  "customer.deleted": ({ customer }) => customerDeleted(customer.id),
  "cart.abandoned": ({ leftCart, buyer }) => cartMoved("cart.abandoned", leftCart, buyer),
  "cart.recovered": ({ leftCart, buyer }) => cartMoved("cart.recovered", leftCart, buyer),
  "checkout.started": ({ cart, buyer }) => cartMoved("checkout.started", cart, buyer),
  "webhook.disabled": ({ terms }) =>
    webhookDisabledEvent(failingEndpoint(terms), {
      failuresInRow: 60,
      failingSince: terms.now - FAILING_MS_MAX,
      lastSuccessAt: terms.now - FAILING_MS_MAX - HOUR_MS,
    }),
};

function returnedSale(sale: SampleSale): Announcement {
  const { totalMinor } = sale.order;
  const refund = wholeRefund(sale);
  const order = { ...sale.order, paymentStatus: "refunded" as const, refundedMinor: totalMinor };
  return moneyReturned(order, { refund, all: [refund] });
}

/** What would be announced under this name, of things that are not there. */
export function sampleEvent(name: EventName, terms: SampleTerms): Announcement {
  return samples[name](sampleSale(terms));
}

/** An endpoint of which nothing but failures was heard. */
function failingEndpoint({ now }: SampleTerms): Endpoint {
  return {
    id: newId("webhook", now),
    url: "https://example.com/webhooks",
    events: ["*"],
    description: null,
    status: "disabled",
    disabledReason: "failing",
    disabledAt: now,
    startsAfter: 0,
    sealedSecret: "",
    sealedOldSecret: null,
    oldSecretExpiresAt: null,
    version: 2,
    createdAt: now,
    updatedAt: now,
  };
}
