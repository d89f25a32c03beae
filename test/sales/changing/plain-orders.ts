// An order and a line as plain data, for the rules.

import { emptyShared } from "#sales/rows/cart.ts";
import type { Order, OrderLine } from "#sales/rows/order.ts";

/** An open order of 100 minor units of which nothing is paid or shipped. */
export const unpaidOrder: Order = {
  id: "ord_01h455vb4pex5vsknk084sn02q",
  number: 1001,
  status: "open",
  paymentStatus: "unpaid",
  fulfillmentStatus: "unfulfilled",
  customerId: null,
  customer: null,
  contactEmail: null,
  contactPhone: null,
  ...emptyShared,
  paymentMethod: "gateway",
  currency: "USD",
  cartId: null,
  isFromPublicKey: false,
  isStrangers: false,
  shippingLabel: null,
  depositPercent: 100,
  taxId: null,
  breakdown: null,
  cancelReason: null,
  cancelNote: null,
  subtotalMinor: 100,
  discountMinor: 0,
  shippingMinor: 0,
  taxMinor: 0,
  totalMinor: 100,
  creditedMinor: 0,
  keptMinor: 0,
  keptApartMinor: 0,
  saleRefundingMinor: 0,
  keptRefundingMinor: 0,
  dueMinor: 100,
  writtenOffMinor: 0,
  saleTotalMinor: null,
  paidMinor: 0,
  refundingMinor: 0,
  refundedMinor: 0,
  openAttempts: 0,
  paymentsInReview: 0,
  paidAt: null,
  fulfilledAt: null,
  cancelledAt: null,
  expiresAt: null,
  version: 1,
  createdAt: 0,
  updatedAt: 0,
};

/** A line of which nothing is shipped or cancelled. */
export function plainLine(given: Partial<OrderLine>): OrderLine {
  const { quantity = 1, unitPriceMinor = 100, discountMinor = 0, taxMinor = 0 } = given;
  const subtotalMinor = unitPriceMinor * quantity;
  return {
    orderId: unpaidOrder.id,
    position: 0,
    id: "li_a",
    variantId: "var_a",
    productId: "prod_a",
    sku: null,
    name: "Mug",
    cancelledQuantity: 0,
    fulfilledQuantity: 0,
    returnedQuantity: 0,
    isStrangers: false,
    metadata: {},
    shown: null,
    ...given,
    quantity,
    unitPriceMinor,
    subtotalMinor,
    discountMinor,
    taxMinor,
    totalMinor: subtotalMinor - discountMinor + taxMinor,
  };
}
