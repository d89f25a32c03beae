// The route that creates an order, at a counter together with its payment and its fulfillment.

import { insufficientStock } from "#catalog/inventory/inventory.ts";
import { priceMissing, variantNotForSale } from "#catalog/variants/sale.ts";
import { customerExists } from "#customers/customer.ts";
import { type Route, writeRoute } from "#platform/http/contract/route.ts";
import {
  discountNotApplicable,
  shippingRequired,
  shippingUnavailable,
} from "#pricing/quote/refusals.ts";
import { externalIdTaken, totalChanged } from "#sales/orders/order.ts";
import { placedOrderWire, viewPlaced } from "#sales/orders/schema.ts";
import {
  placedPerAddress,
  tooManyOpenOrders,
  tooManyOrders,
} from "#sales/placing/public-orders.ts";
import { paymentMethodUnavailable } from "#shop/store/payment-methods.ts";

import { counterSaleSchema, readCounterSale } from "./schema.ts";
import { sellAtCounter } from "./sell-at-counter.ts";

export const counterSaleRoutes: readonly Route[] = [
  writeRoute({
    method: "POST",
    path: "/v2/orders",
    operationId: "createOrder",
    tag: "Orders",
    summary: "Create an order",
    description:
      "Reserves stock for every line. If any line is short, the order is refused and every short line is named. " +
      "With `paid` and `fulfilled`, the order is placed, paid and fulfilled in one transaction, as at a counter.",
    perAddress: placedPerAddress,
    audit: false,
    scopes: ["orders:write", "orders:create"],
    body: counterSaleSchema,
    response: placedOrderWire,
    status: 201,
    location: (order) => `/v2/orders/${order.id}`,
    refusals: [
      insufficientStock,
      variantNotForSale,
      priceMissing,
      totalChanged,
      discountNotApplicable,
      shippingRequired,
      shippingUnavailable,
      externalIdTaken,
      customerExists,
      paymentMethodUnavailable,
      tooManyOpenOrders,
      tooManyOrders,
    ],
    handler: async (tx, { body, caller }) => {
      const { placed, changeMinor } = await sellAtCounter(tx, readCounterSale(body, caller));
      return { ...viewPlaced(placed, body.customer, caller), changeMinor };
    },
  }),
];
