// The preview of an order on the wire: what a sale comes to. It names nothing that does not exist, so it has no id, no
// number and no link, and its line items are known by their place.

import Type from "typebox";

import { taxExemptions } from "#customers/tax-exemption.ts";
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
import { choice, currency, idOf, nullable, whole } from "#platform/http/contract/words.ts";
import { cartDiscounts, includedTaxOfLineFields, type LineOfSale } from "#pricing/quote/schema.ts";
import { depositDueOf, dueOf } from "#sales/balance/balance.ts";
import type { Order, OrderLine } from "#sales/orders/order.ts";
import {
  hasShipping,
  saleParts,
  saleTotals,
  shippingShape,
  viewLines,
} from "#sales/orders/schema.ts";

import type { SoldOrder } from "./sell-at-counter.ts";

type LineView = OrderLine & LineOfSale;

const textOrNull = nullable(Type.String());

const lineShape = shape<LineView>()({
  variant_id: nullable(idOf("variant")),
  product_id: nullable(idOf("product")),
  sku: textOrNull,
  name: Type.String(),
  quantity: whole(1),
  ...inBothUnits("unit_price", (line: LineView) => line.unitPriceMinor),
  ...inBothUnits("subtotal", (line: LineView) => line.subtotalMinor),
  ...inBothUnits("discount_total", (line: LineView) => line.discountMinor),
  ...inBothUnits("tax_total", (line: LineView) => line.taxMinor),
  ...includedTaxOfLineFields,
  ...inBothUnits("total", (line: LineView) => line.totalMinor),
});

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
  tax_country: from((order: Order) => order.breakdown?.taxTerms.country ?? null, textOrNull),
  tax_region: from((order: Order) => order.breakdown?.taxTerms.region ?? null, textOrNull),
  tax_exemption: from(
    ({ breakdown }: Order) => breakdown?.taxTerms.exemption ?? "none",
    choice(taxExemptions),
  ),
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
