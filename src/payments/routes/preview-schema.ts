// Previews on the wire: what an act on an order would do.

import Type from "typebox";

import { awaitsApproval } from "#payments/rows/refund.ts";
import type { ActPreview, PreviewedRefund } from "#payments/settling/preview-act.ts";
import { added, from, inBothUnits, list, shape, wire } from "#platform/http/contract/wire.ts";
import { currency, idOf, nullable } from "#platform/http/contract/words.ts";
import type { LinkTerms } from "#sales/links/link-token.ts";
import { type OrderView, orderWire, viewOrder } from "#sales/orders/schema.ts";
import { paymentMethod } from "#shop/store/schema.ts";

type MoneyBackView = PreviewedRefund & Pick<PreviewedRefund["refund"], "currency">;

const moneyBackShape = shape<MoneyBackView>()({
  payment_id: from((row: MoneyBackView) => row.payment.id, idOf("payment")),
  method: from((row: MoneyBackView) => row.payment.method, paymentMethod),
  gateway: from((row: MoneyBackView) => row.payment.gateway, nullable(Type.String())),
  ...inBothUnits("amount", (row: MoneyBackView) => row.refund.amountMinor),
  currency,
  needs_approval: added(
    from(
      ({ refund }: MoneyBackView) => awaitsApproval(refund),
      Type.Boolean({
        description: "True above what the caller may still refund: someone else approves it first.",
      }),
    ),
  ),
  by_hand: from(
    ({ refund, payment }: MoneyBackView) =>
      payment.gateway === null || refund.attention === "by_hand",
    Type.Boolean({ description: "Whether a person gives it back, because no gateway does." }),
  ),
});

interface ActPreviewView {
  readonly refunds: readonly MoneyBackView[];
  readonly order: OrderView;
}

export const actPreviewWire = wire<ActPreviewView>()("OrderActPreview", {
  refunds: list(moneyBackShape, {
    description:
      "What would go back of each payment; a refund that failed and is tried again stands by itself.",
  }),
  order: from((row: ActPreviewView) => row.order, orderWire),
});

/** Returns the row of which `actPreviewWire` makes the response. */
export function viewActPreview({ order, moneyBack }: ActPreview, terms: LinkTerms): ActPreviewView {
  const refunds = moneyBack.map((one) => ({ ...one, currency: one.refund.currency }));
  return { refunds, order: viewOrder(order, terms) };
}
