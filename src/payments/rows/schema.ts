// Payments, refunds and disputes on the wire: responses. A card token is never returned.

import Type, { type Static } from "typebox";

import { type CurrencyCode, isCurrency } from "#kernel/currency.ts";
import { SENT_NAMES } from "#kernel/metadata.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { anyOf } from "#platform/http/contract/filters.ts";
import {
  added,
  amountOf,
  at,
  described,
  from,
  inBothUnits,
  list,
  orNull,
  printAmount,
  shape,
  wire,
} from "#platform/http/contract/wire.ts";
import {
  amount,
  choice,
  currency,
  day,
  idOf,
  line,
  metadata,
  nullable,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";
import { addedInBothUnits, taxLinesOfPart } from "#pricing/quote/schema.ts";
import type { LinkTerms } from "#sales/links/link-token.ts";
import { type OrderView, orderWire, viewOrder } from "#sales/orders/schema.ts";
import type { ToldAccount } from "#shop/store/payment-methods.ts";
import { paymentMethod } from "#shop/store/schema.ts";

import { disputedMoney, disputeStates } from "./dispute-life.ts";
import type { Dispute } from "./dispute.ts";
import type { DisputeQuery, WholePayment } from "./lookups.ts";
import {
  type ActionDetail,
  givenByMethods,
  type Instrument,
  type NextAction,
  nextActionTypes,
  refundApprovals,
  refundAttentions,
  type RefundedLine,
} from "./payment-life.ts";
import type { Payment } from "./payment.ts";
import type { OrderRefund, Refund } from "./refund.ts";
import {
  disputeStatus,
  failureCode,
  paymentStatus,
  provider,
  refundReason,
  refundStatus,
} from "./word-schema.ts";

const textOrNull = nullable(Type.String());

/** A refunded line with the currency of its refund. */
interface RefundedLineView extends RefundedLine {
  readonly currency: CurrencyCode;
}

const refundedLineShape = shape<RefundedLineView>()(
  {
    line_item_id: idOf("lineItem"),
    quantity: whole(1),
    ...inBothUnits("amount", (refunded: RefundedLineView) => refunded.amountMinor),
    ...addedInBothUnits("tax_total", (refunded: RefundedLineView) => refunded.taxMinor ?? 0),
    ...addedInBothUnits(
      "included_tax_total",
      (refunded: RefundedLineView) => refunded.includedTaxMinor ?? 0,
    ),
    discount_total: added(amountOf((refunded: RefundedLineView) => refunded.discountMinor ?? 0)),
    discount_total_minor: added(
      from(
        (refunded: RefundedLineView) => refunded.discountMinor ?? 0,
        Type.Integer({ description: "Rounding can make it a unit or two below zero." }),
      ),
    ),
    restocked: whole(0),
  },
  { name: "RefundedLine" },
);

function taxWhere({ taxes }: Refund, isIncluded: boolean): number {
  return taxes
    .filter((tax) => tax.isIncluded === isIncluded)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

export const refundWire = wire<Refund>()("Refund", {
  id: idOf("refund"),
  payment_id: idOf("payment"),
  order_id: nullable(idOf("order")),
  status: refundStatus.schema,
  attention: added(
    nullable({
      ...choice(refundAttentions),
      description:
        "Why a person has to see to it: `by_hand` money to hand back, the `gateway` asks for something, `no_outcome` from the gateway, or `paid_twice` because the gateway paid a closed refund, or gave more back than was left of the payment.",
    }),
  ),
  approval: added(
    nullable({
      ...choice(refundApprovals),
      description:
        "Of a refund above the limit of who asked for it: `asked` while its status is `needs_approval`; `expired` after 14 days without a decision.",
    }),
  ),
  amount: amountOf((refund: Refund) => refund.amountMinor),
  amount_minor: whole(1),
  currency,
  reason: refundReason,
  note: textOrNull,
  line_items: from(
    ({ lines, currency: code }: Refund) => lines.map((one) => ({ ...one, currency: code })),
    list(refundedLineShape),
  ),
  ...addedInBothUnits("tax_total", (refund: Refund) => taxWhere(refund, false)),
  ...addedInBothUnits("included_tax_total", (refund: Refund) => taxWhere(refund, true)),
  ...addedInBothUnits("shipping_total", (refund: Refund) => refund.shippingMinor),
  tax_lines: added(taxLinesOfPart),
  automatic: from(
    (refund: Refund) => refund.isAutomatic,
    Type.Boolean({
      description: "True for the refund of late money, for an order that was cancelled or paid.",
    }),
  ),
  external: added(
    from(
      (refund: Refund) => refund.isExternal,
      Type.Boolean({
        description: "True for a refund that was made at the gateway, not through this API.",
      }),
    ),
  ),
  failure_reason: from((refund: Refund) => refund.gatewayCode, textOrNull),
  succeeded_at: orNull(at),
  closed_at: added(orNull(at)),
  given_by: added(
    nullable({
      ...choice([...givenByMethods, "cash_on_delivery"]),
      description: "How the money of a closed refund was given back.",
    }),
  ),
  close_note: added({ ...textOrNull, description: "Why it was closed, cancelled or declined." }),
  version: whole(1),
  created_at: at,
  updated_at: at,
});

const detailShape = shape<ActionDetail>()(
  publicFields({ label: Type.String(), value: Type.String() }),
  { name: "ActionDetail" },
);

export const accountShape = shape<ToldAccount>()(
  publicFields({
    label: Type.String(),
    instructions: Type.String({ description: "In plain text." }),
  }),
  { name: "ToldAccount" },
);

export const nextActionShape = shape<NextAction>()(
  publicFields({
    type: choice(nextActionTypes),
    display_text: textOrNull,
    url: textOrNull,
    expires_at: orNull(at),
    details: added(
      from(
        ({ details = [] }: NextAction) => details,
        list(detailShape, {
          description: "What the customer types in to pay, such as the number of a till.",
        }),
      ),
    ),
    accounts: added(
      from(
        ({ accounts = [] }: NextAction) => accounts,
        list(accountShape, {
          description:
            "Of `pay_by_hand`: the accounts of the shop, to one of which the money goes.",
        }),
      ),
    ),
  }),
  { name: "NextAction" },
);

/** Money in the currency that the gateway reported. */
interface ReportedMoney {
  readonly amountMinor: number;
  readonly currency: string;
}

const reportedMoney = shape<ReportedMoney>()(
  {
    // Null for a currency whose digits are unknown.
    amount: from(
      ({ amountMinor, currency: code }: ReportedMoney) =>
        isCurrency(code) ? printAmount(amountMinor, code) : null,
      nullable(amount),
    ),
    amount_minor: whole(0),
    currency: Type.String(),
  },
  { name: "ReportedMoney" },
);

/** The instrument and the channel of the payment. */
interface InstrumentView extends Instrument {
  readonly kind: string | null;
}

const instrumentShape = shape<InstrumentView>()(
  {
    kind: nullable(
      Type.String({ description: "In the gateway's word, such as `card`, `mobile_money`." }),
    ),
    brand: nullable(Type.String({ description: "The network, such as `visa`, `mtn`." })),
    last4: nullable(Type.String({ description: "The last four digits of the card or phone." })),
    country: nullable(Type.String({ description: "Where it was issued: ISO 3166-1 alpha-2." })),
  },
  { name: "Instrument", description: "What the customer paid with, as far as the gateway says." },
);

/** A payment with its refunds, as one row. */
interface PaymentView extends Payment {
  readonly refunds: readonly Refund[];
}

/** The fields of a payment without its refunds, as events carry it. */
export const attemptFields = {
  ...publicFields({
    id: idOf("payment"),
    reference: Type.String(),
    status: paymentStatus.schema,
    amount: amountOf((payment: Payment) => payment.amountMinor),
    amount_minor: whole(1),
    currency,
    order_id: nullable(idOf("order")),
  }),
  customer_id: nullable(idOf("customer")),
  ...publicFields({
    method: paymentMethod,
    provider: nullable(provider),
    phone: textOrNull,
    gateway: textOrNull,
    authorization_url: from((payment: Payment) => payment.nextAction?.url ?? null, textOrNull),
    next_action: orNull(nextActionShape),
    failure_code: nullable(failureCode),
  }),
  gateway_code: nullable(Type.String({ description: "The gateway's own code." })),
  ...publicFields({
    ...inBothUnits("captured_total", (payment: Payment) => payment.capturedMinor),
    ...inBothUnits("refunded_total", (payment: Payment) => payment.refundedMinor),
  }),
  received: described(
    from(receivedOf, orNull(reportedMoney)),
    "The money received, as the gateway reported it.",
  ),
  // For the merchant: a publishable key is told neither the fee nor the card.
  fee: described(
    added(from(feeOf, orNull(reportedMoney))),
    "What the gateway kept of the money received; null while it has not said so, and for money by hand.",
  ),
  instrument: added(from(instrumentOf, orNull(instrumentShape))),
  paid_at: added(from((payment: Payment) => payment.paidAt, orNull(at))),
  received_on: added(
    nullable(
      Type.String({
        ...day,
        description:
          "The day on which you received money by hand, where you told one: a transfer is often recorded later.",
      }),
    ),
  ),
  transaction_reference: added({
    ...textOrNull,
    description: "The name that the bank or the wallet gave to money by hand.",
  }),
  account_id: added(
    nullable({
      ...idOf("receivingAccount"),
      description: "The receiving account that took money by hand, where you told it.",
    }),
  ),
  note: added({ ...textOrNull, description: "Yours, of money by hand." }),
  payout_id: added(
    nullable({
      ...idOf("payout"),
      description: "The payout that has its charge; null until the gateway tells of one.",
    }),
  ),
  ...publicFields({ metadata }, { names: SENT_NAMES }),
  ...publicFields({
    expires_at: orNull(at),
    succeeded_at: orNull(at),
    version: whole(1),
    created_at: at,
    updated_at: at,
  }),
};

export const paymentWire = wire<PaymentView>()("Payment", {
  ...attemptFields,
  refunds: list(refundWire, { description: "Oldest first." }),
});

function receivedOf({ receivedMinor, receivedCurrency }: Payment): ReportedMoney | null {
  if (receivedMinor === null || receivedCurrency === null) return null;
  return { amountMinor: receivedMinor, currency: receivedCurrency };
}

function feeOf({ feeMinor, receivedCurrency }: Payment): ReportedMoney | null {
  if (feeMinor === null || receivedCurrency === null) return null;
  return { amountMinor: feeMinor, currency: receivedCurrency };
}

function instrumentOf({ channel, instrument }: Payment): InstrumentView | null {
  if (channel === null && instrument === null) return null;
  return { ...(instrument ?? nothingKnown), kind: channel };
}

const nothingKnown: Instrument = { brand: null, last4: null, country: null };

/** Returns the row of which `paymentWire` makes the response. */
export function viewPayment({ payment, refunds }: WholePayment): PaymentView {
  return { ...payment, refunds };
}

/** The refunds of an order with the order after them. */
interface OrderRefundView {
  readonly amountMinor: number;
  readonly currency: CurrencyCode;
  readonly refunds: readonly Refund[];
  readonly order: OrderView;
}

export const orderRefundWire = wire<OrderRefundView>()("OrderRefund", {
  amount: amountOf(({ amountMinor }: OrderRefundView) => amountMinor),
  amount_minor: whole(1),
  currency,
  refunds: list(refundWire, { description: "One for each payment that is refunded." }),
  order: orderWire,
});

/** Returns the row of which `orderRefundWire` makes the response. */
export function viewOrderRefund(
  { refunds, order }: OrderRefund,
  terms: LinkTerms,
): OrderRefundView {
  const amountMinor = refunds.reduce((total, refund) => total + refund.amountMinor, 0);
  const { currency: code } = order.order;
  return { amountMinor, currency: code, refunds, order: viewOrder(order, terms) };
}

/** The response of a dispute. */
export const disputeWire = wire<Dispute>()("Dispute", {
  id: idOf("dispute"),
  payment_id: idOf("payment"),
  order_id: nullable(idOf("order")),
  gateway: Type.String(),
  gateway_dispute_id: from((dispute: Dispute) => dispute.name, Type.String()),
  status: disputeStatus.schema,
  money: {
    ...choice(disputedMoney),
    description: "Whether the gateway took the disputed money, and gave it back.",
  },
  amount: amountOf((dispute: Dispute) => dispute.amountMinor),
  amount_minor: whole(0),
  currency,
  reason: textOrNull,
  due_at: orNull(at),
  version: whole(1),
  created_at: at,
  updated_at: at,
});

export const disputeQuerySchema = object({
  status: anyOf(disputeStates),
  payment: optional(line(80, { description: "The reference or the id of a payment." })),
});

/** Reads the filters of the list of disputes. */
export function readDisputeQuery(query: Static<typeof disputeQuerySchema>): DisputeQuery {
  return { statuses: query.status, payment: query.payment };
}
