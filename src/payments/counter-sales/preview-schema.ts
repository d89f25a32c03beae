// The preview of an order on the wire: what a sale comes to. It names nothing that does not exist, so it has no id, no
// number and no link, and its line items are known by their place.

import { paymentMethods } from "#kernel/payment-method.ts";
import {
  amountOrNullOf,
  from,
  inBothUnits,
  list,
  orNull,
  shape,
  wire,
} from "#platform/http/contract/wire.ts";
import { choice, currency, nullable, whole } from "#platform/http/contract/words.ts";
import { cartDiscounts } from "#pricing/quote/schema.ts";
import {
  hasShipping,
  lineFields,
  type LineView,
  saleParts,
  saleTotals,
  shippingShape,
  viewLines,
} from "#sales/orders/schema.ts";
import { depositDueOf, dueOf } from "#sales/rows/balance.ts";
import type { Order, OrderLine } from "#sales/rows/order.ts";

import type { SoldOrder } from "./sell-at-counter.ts";

// The line item of an order, but for what only a placed one has.
const {
  id: _id,
  cancelled_quantity: _cancelled,
  fulfilled_quantity: _fulfilled,
  returned_quantity: _returned,
  ...soldFields
} = lineFields;

const lineShape = shape<LineView>()(soldFields);

/** An order that was not placed, as one row. */
interface OrderPreviewView extends Order {
  readonly lines: readonly OrderLine[];
  /** Null where no money was handed over. */
  readonly changeMinor: number | null;
}

export const orderPreviewWire = wire<OrderPreviewView>()("OrderPreview", {
  line_items: from(viewLines, list(lineShape)),
  payment_method: choice(paymentMethods),
  currency,
  shipping: from((order: Order) => (hasShipping(order) ? order : null), orNull(shippingShape)),
  ...saleTotals,
  ...saleParts,
  // Its line items have no ids.
  discounts: cartDiscounts,
  ...inBothUnits("due", (order: Order) => dueOf(order)),
  ...inBothUnits("deposit_due", (order: Order) => depositDueOf(order)),
  change: amountOrNullOf((preview: OrderPreviewView) => preview.changeMinor),
  change_minor: nullable(whole(0)),
});

/** Returns the row of which `orderPreviewWire` makes the response. */
export function viewOrderPreview({ placed, changeMinor }: SoldOrder): OrderPreviewView {
  const { order, lines } = placed;
  return { ...order, lines, changeMinor };
}
