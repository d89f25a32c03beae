// An order as the bearer of its link reads it, on any device and without an account: as its customer does, with how it was
// paid and what was given back.

import Type from "typebox";

import type { CurrencyCode } from "#kernel/currency.ts";
import { getOrderStatus, hidesDetails, type OrderOnPage } from "#pay-page/order/order-status.ts";
import type { Payment } from "#payments/rows/payment.ts";
import type { Refund } from "#payments/rows/refund.ts";
import { nextActionShape } from "#payments/rows/schema.ts";
import { paymentStatus, refundStatus } from "#payments/rows/word-schema.ts";
import type { Reader } from "#platform/database/database.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { at, from, inBothUnits, list, orNull, shape, wire } from "#platform/http/contract/wire.ts";
import { currency, idOf } from "#platform/http/contract/words.ts";
import { orderLinkOf } from "#sales/links/link-addresses.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { orderTokenRequired } from "#sales/links/link-token.ts";
import { paymentMethod } from "#shop/store/schema.ts";

import { ownOrderFields, type OwnOrderView } from "./own-order.ts";

interface LinkedOrderView extends OwnOrderView {
  readonly payments: readonly Payment[];
  readonly refunds: readonly RefundView[];
  readonly areDetailsHidden: boolean;
}

interface RefundView extends Refund {
  readonly currency: CurrencyCode;
}

const paymentShape = shape<Payment>()(
  publicFields({
    id: idOf("payment"),
    method: paymentMethod,
    status: paymentStatus.schema,
    ...inBothUnits("amount", (payment: Payment) => payment.amountMinor),
    currency,
    paid_at: from((payment: Payment) => payment.succeededAt, orNull(at)),
    next_action: orNull(nextActionShape),
  }),
);

const refundShape = shape<RefundView>()(
  publicFields({
    status: refundStatus.schema,
    ...inBothUnits("amount", (refund: RefundView) => refund.amountMinor),
    currency,
    created_at: at,
    succeeded_at: orNull(at),
  }),
);

export const linkedOrderWire = wire<LinkedOrderView>()("LinkedOrder", {
  ...ownOrderFields,
  ...publicFields({
    payments: list(paymentShape, { description: "The attempts to pay it, oldest first." }),
    refunds: list(refundShape, { description: "Money that was or will be given back." }),
    details_hidden: from(
      (order: LinkedOrderView) => order.areDetailsHidden,
      Type.Boolean({
        description:
          "True if contact, addresses, notes, tax number and tracking are null because the order has not changed for 30 days, or its customer was erased.",
      }),
    ),
  }),
});

/**
 * Returns the order of the token as its link shows it now. Refuses with `order_token_required`, `recovery_link_invalid`,
 * `recovery_link_expired`, and `order_not_found`.
 */
export async function getLinkedOrder(
  db: Reader,
  { token, now }: { readonly token: string | null; readonly now: number },
): Promise<LinkedOrderView> {
  if (token === null || token === "") throw orderTokenRequired();
  const found = await getOrderStatus(db, { token, now });
  const { order, lines } = found.whole;
  const link = orderLinkOf(await getLinkTerms(db), order, found);
  return {
    ...order,
    ...link,
    lines,
    ...detailsOf(found),
    payments: found.payments,
    refunds: found.refunds.map((refund) => ({ ...refund, currency: order.currency })),
  };
}

/** The details of the customer, as far as the link shows them. */
function detailsOf(found: OrderOnPage) {
  const { order, fulfillments } = found.whole;
  const { contactEmail, contactPhone, shippingAddress, billingAddress } = order;
  if (!hidesDetails(found)) {
    const [email, phone] = found.showsContact ? [contactEmail, contactPhone] : [null, null];
    return { email, phone, shippingAddress, billingAddress, fulfillments, areDetailsHidden: false };
  }
  return {
    email: null,
    phone: null,
    notes: null,
    taxId: null,
    shippingAddress: null,
    billingAddress: null,
    fulfillments: fulfillments.map((one) => ({ ...one, tracking: null })),
    areDetailsHidden: true,
  };
}
