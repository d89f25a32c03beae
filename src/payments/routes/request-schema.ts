// Requests about payments and refunds on the wire.

import Type, { type Static } from "typebox";

import { SENT_NAMES } from "#kernel/metadata.ts";
import { paymentMethods } from "#kernel/payment-method.ts";
import { bareIdentifier } from "#kernel/text.ts";
import { WEEK_MS } from "#kernel/time.ts";
import type { Acceptance } from "#payments/attempts/accept-payment.ts";
import type { PaymentRequest } from "#payments/attempts/payment-request.ts";
import type { Told } from "#payments/attempts/told-facts.ts";
import type { OrderRefundRequest } from "#payments/refunds/refund-order.ts";
import type { RefundRequest } from "#payments/refunds/refund-payment.ts";
import type { PaymentFilters } from "#payments/rows/filter-queries.ts";
import { type RefundQuery, seesAllPayments } from "#payments/rows/lookups.ts";
import { givenByMethods, paymentStates, refundStates } from "#payments/rows/payment-life.ts";
import { provider, refundReason } from "#payments/rows/word-schema.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { type Caller, requireScope } from "#platform/http/contract/caller.ts";
import { anyOf, createdAtFilters, idSpan, timeSpan } from "#platform/http/contract/filters.ts";
import {
  amountGiven,
  cardFree,
  choice,
  component,
  currency,
  day,
  identifying,
  idOf,
  instantOrDay,
  line,
  matching,
  metadata,
  note,
  nullable,
  object,
  optional,
  phoneGiven,
  verbatim,
  webAddress,
  whole,
} from "#platform/http/contract/words.ts";
import { aboveLimitGiven } from "#sales/routes/request-schema.ts";
import { paymentMethod, taker } from "#shop/store/schema.ts";

/** Units of one line; far above any order. */
const QUANTITY_MAX = 1_000_000;

export const paymentRequestSchema = object(
  {
    // Only the merchant makes a payment link.
    ...publicFields({ order_id: optional(nullable(idOf("order"))) }, { required: true }),
    ...publicFields({
      amount: optional(amountGiven),
      deposit: optional(
        Type.Boolean({
          description:
            "Asks for what is still due of the order's deposit (`deposit_due`) instead of an amount. Other amounts below `due` need the scope payments:write.",
        }),
      ),
      currency: optional(currency),
      method: optional(paymentMethod),
      phone: optional(nullable(phoneGiven)),
      provider: optional(nullable(provider)),
      card_token: optional(
        nullable(
          Type.String({
            ...verbatim,
            ...matching(
              "^(?!.*[0-9]{12})[A-Za-z][A-Za-z0-9_.-]{2,254}$",
              "This is not a token of a gateway: letters, digits, _, . and -, 3 to 255 of them, a letter first.",
            ),
            maxLength: 255,
            "x-card-free": "token",
            description:
              "A card token issued by the gateway, never a card number. Without it, the customer enters the card on the gateway's page. `method` is card if it is not given.",
          }),
        ),
      ),
      return_url: optional(nullable(Type.String({ ...webAddress, ...cardFree }))),
    }),
    gateway: optional(
      nullable(
        Type.String({
          ...matching(
            "^[a-z][a-z0-9_-]{0,39}$",
            "This is not the id of a gateway, such as paystack.",
          ),
          maxLength: 40,
          description:
            "The id of the gateway that takes the payment. By default the first of the shop's gateways that takes the method, the currency and the provider.",
        }),
      ),
    ),
    reference: optional(
      nullable(
        Type.String({
          ...verbatim,
          ...matching("^[A-Za-z0-9.=-]{1,80}$", "Letters, digits, ., = and -, 1 to 80 of them."),
          maxLength: 80,
          ...cardFree,
          description: "Your own unique reference. Defaults to the payment's id.",
        }),
      ),
    ),
    ...publicFields({ metadata: optional(metadata) }, { names: SENT_NAMES }),
  },
  { "x-money": { amount: "currency" } },
);

export const otpSchema = object(
  publicFields({
    otp: Type.String({
      ...identifying,
      ...matching("^[0-9A-Za-z]{3,12}$", "Letters and digits, 3 to 12 of them."),
      maxLength: 12,
      description: "The one-time code.",
    }),
  }),
);

const receivedOn = optional(
  nullable(
    Type.String({
      ...day,
      description:
        "The day on which the money came, in the store's time zone: not after today, and at most 366 days ago. Today by default.",
    }),
  ),
);

/** Facts of money by hand beside its amount and its day. */
export const toldGiven = {
  account_id: optional(
    nullable({
      ...idOf("receivingAccount"),
      description: "The receiving account that took the money.",
    }),
  ),
  transaction_reference: optional(
    nullable(
      line(200, {
        ...identifying,
        ...cardFree,
        description: "The name that the bank or the wallet gave to the money.",
      }),
    ),
  ),
  note: optional(nullable(note(500))),
  seen: optional(
    Type.Boolean({
      description:
        "True records the money although other money of the method has the transaction reference, which is refused with `transaction_seen` otherwise: one transfer can pay two orders.",
    }),
  ),
};

const toldSchema = object({ received_on: receivedOn, ...toldGiven });

export const confirmationSchema = object(
  { amount: amountGiven, currency: optional(currency), received_on: receivedOn, ...toldGiven },
  {
    "x-money": { amount: "currency" },
    description: "`amount` is what really came; the currency is the payment's.",
  },
);

export const orderPaymentSchema = object({
  method: paymentMethod,
  amount: amountGiven,
  received_on: receivedOn,
  ...toldGiven,
});

export const acceptanceSchema = object(
  {
    amount: optional(amountGiven),
    write_off: optional(
      Type.Boolean({
        description: "Writes off what is still due. Needs the scope orders:write as well.",
      }),
    ),
  },
  {
    description:
      "`amount` is what the money stands for in the payment's currency, and required if it arrived in another one.",
  },
);

export const correctionSchema = object({
  amount: amountGiven,
  note: optional(nullable(note(500))),
});

export const refundClosingSchema = object({
  note: optional(nullable(note(500, { description: "How the money was given back." }))),
  method: optional({
    ...choice(givenByMethods),
    description:
      "The money with which it was given back: by default that of the payment, and `bank_transfer` where a gateway took it.",
  }),
});

export const refundCancellingSchema = object({
  note: optional(nullable(note(500, { description: "Why it is not wanted any more." }))),
});

export const refundDecliningSchema = object({
  note: optional(nullable(note(500, { description: "Why it is declined." }))),
});

const refundTerms = {
  amount: optional(amountGiven),
  reason: optional(refundReason),
  note: optional(nullable(note(500))),
  above_limit: optional(aboveLimitGiven),
};

export const refundRequestSchema = object(refundTerms);

export const orderRefundRequestSchema = object({
  ...refundTerms,
  line_items: optional(
    Type.Array(
      component("RefundedLineInput", {
        line_item_id: idOf("lineItem"),
        quantity: whole(1, QUANTITY_MAX),
        amount: optional(amountGiven),
        restock: optional(Type.Boolean()),
        from: optional(choice(["open", "shipped"])),
      }),
      {
        minItems: 1,
        maxItems: 100,
        description: "Without an amount, the line items' share of their totals is refunded.",
      },
    ),
  ),
  shipping: optional(
    Type.Union(amountGiven.anyOf, {
      description:
        "What is refunded of the shipping with its tax, in addition to any line items; not together with an amount.",
    }),
  ),
  restock: optional(Type.Boolean({ description: "Returns shipped units to stock." })),
});

export const paymentQuerySchema = object({
  status: anyOf(paymentStates),
  method: anyOf(paymentMethods),
  order_id: optional(line(64)),
  gateway: optional(line(64, { description: "Payments at this gateway." })),
  by: optional(taker),
  currency: optional(currency),
  transaction_reference: optional(
    line(200, {
      ...identifying,
      description:
        "Money by hand with this transaction reference. Blanks, dashes and small letters make no difference.",
    }),
  ),
  payout: optional({
    ...choice(["missing"]),
    description:
      "Only money of gateways that no payout has, seven days after it came. What came before the first payout that is known is left out.",
  }),
  ...createdAtFilters,
  "succeeded_at[gte]": optional(instantOrDay),
  "succeeded_at[gt]": optional(instantOrDay),
  "succeeded_at[lte]": optional(instantOrDay),
  "succeeded_at[lt]": optional(instantOrDay),
});

export const refundQuerySchema = object({
  status: anyOf(refundStates),
  order_id: optional(line(64)),
  payment: optional(line(80, { description: "The reference or the id of a payment." })),
  ...createdAtFilters,
});

/** Reads a request to pay. */
export function readPaymentRequest(
  body: Static<typeof paymentRequestSchema>,
  caller: Caller,
): PaymentRequest {
  return {
    orderId: body.order_id ?? null,
    amount: body.amount,
    isDeposit: body.deposit ?? false,
    currency: body.currency,
    method: body.method ?? methodOfToken(body),
    ...readPayer(body),
    gateway: body.gateway ?? null,
    returnUrl: body.return_url ?? null,
    reference: body.reference ?? null,
    metadata: body.metadata ?? {},
    isFromMerchant: caller.scopes.has("payments:write"),
    askedBy: caller,
    lineage: caller.lineage,
    seesAll: seesAllPayments(caller.scopes),
  };
}

/** A card token pays by card, whatever method the order was placed with. */
function methodOfToken({ card_token: token }: Static<typeof paymentRequestSchema>) {
  return token === undefined || token === null ? undefined : "card";
}

function readPayer(body: Static<typeof paymentRequestSchema>) {
  return {
    phone: body.phone ?? null,
    provider: body.provider ?? null,
    cardToken: body.card_token ?? null,
  };
}

/** Reads money that came by hand. */
export function readOrderPayment(body: Static<typeof orderPaymentSchema>) {
  return { method: body.method, amount: body.amount, told: readTold(body) };
}

/** Reads what is told of money by hand. */
export function readTold(body: Static<typeof toldSchema>): Told {
  return {
    accountId: body.account_id ?? null,
    receivedOn: body.received_on ?? null,
    transactionReference: body.transaction_reference ?? null,
    note: body.note ?? null,
    isSeen: body.seen ?? false,
  };
}

/** Reads an acceptance of money in review. Refuses with `scope_missing`. */
export function readAcceptance(
  body: Static<typeof acceptanceSchema>,
  caller: Pick<Caller, "scopes">,
): Acceptance {
  const writeOff = body.write_off ?? false;
  if (writeOff) requireScope(caller, "orders:write", "`write_off`");
  return { amount: body.amount, writeOff };
}

/** Reads a request to refund a payment. */
export function readRefundRequest(
  body: Static<typeof refundRequestSchema>,
  asker: Pick<RefundRequest, "idempotent" | "caller">,
): RefundRequest {
  return {
    amount: body.amount,
    reason: body.reason ?? "requested_by_customer",
    note: body.note ?? null,
    aboveLimit: body.above_limit ?? "refuse",
    ...asker,
  };
}

/** Reads a request to refund an order. */
export function readOrderRefundRequest(
  body: Static<typeof orderRefundRequestSchema>,
  asker: Pick<RefundRequest, "idempotent" | "caller">,
): OrderRefundRequest {
  return {
    ...readRefundRequest(body, asker),
    lines: body.line_items?.map((one) => ({
      lineItemId: one.line_item_id,
      quantity: one.quantity,
      amount: one.amount,
      restock: one.restock,
      from: one.from,
    })),
    shipping: body.shipping,
    restock: body.restock ?? false,
  };
}

/** Gateways pay out within days, milliseconds. */
const PAID_OUT_WITHIN_MS = WEEK_MS;

/** Reads the filters of a list. */
export function readPaymentQuery(
  query: Static<typeof paymentQuerySchema>,
  now: number,
): PaymentFilters {
  const succeeded = timeSpan({
    gte: query["succeeded_at[gte]"],
    gt: query["succeeded_at[gt]"],
    lte: query["succeeded_at[lte]"],
    lt: query["succeeded_at[lt]"],
  });
  return {
    status: query.status,
    method: query.method,
    orderId: query.order_id,
    gateway: query.gateway,
    taker: query.by,
    currency: query.currency,
    transactionKey: keySought(query.transaction_reference),
    succeededFrom: succeeded.from,
    succeededBelow: succeeded.below,
    unpaidOutBefore: query.payout === undefined ? undefined : now - PAID_OUT_WITHIN_MS,
    ...idSpan("payment", query),
  };
}

/** A reference of nothing but blanks and dashes is that of no payment. */
function keySought(reference: string | undefined): string | undefined {
  return reference === undefined ? undefined : (bareIdentifier(reference) ?? "");
}

/** Reads the filters of the list of refunds. */
export function readRefundQuery(query: Static<typeof refundQuerySchema>): RefundQuery {
  return {
    status: query.status,
    orderId: query.order_id,
    payment: query.payment,
    ...idSpan("refund", query),
  };
}
