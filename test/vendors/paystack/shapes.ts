// Answers of Paystack's API that its own document describes otherwise than its samples show them, and its notices, which
// that document does not have: a shape of what the gateway reads, beside a sample that proves it. The samples have the
// members and types of those in Paystack's documentation (Charge, Verify, Refund, Dispute, Settlements and Webhooks), with values of
// our own.

import Type, { type TSchema } from "typebox";

interface Shape {
  readonly schema: TSchema;
  readonly samples: readonly object[];
}

const textOrNull = Type.Union([Type.String(), Type.Null()]);

function answerWith(data: TSchema): TSchema {
  return Type.Object({ status: Type.Boolean(), message: Type.String(), data });
}

function sampleWith(data: object) {
  return { status: true, message: "Retrieved", data };
}

const refund = Type.Object({
  id: Type.Integer(),
  integration: Type.Integer(),
  transaction: Type.Integer(),
  domain: Type.String(),
  currency: Type.String(),
  amount: Type.Integer(),
  status: Type.Union(
    ["pending", "processing", "needs-attention", "processed", "failed"].map((word) =>
      Type.Literal(word),
    ),
  ),
  merchant_note: Type.String(),
  reversed_at: Type.Optional(textOrNull),
  createdAt: Type.String(),
});
const refundSample = {
  integration: 463_433,
  transaction: 4_192_017_733,
  dispute: null,
  settlement: null,
  id: 7_041_221,
  domain: "test",
  currency: "GHS",
  amount: 500,
  status: "processed",
  refunded_at: null,
  refunded_by: "shop@example.com",
  customer_note: "Sent back",
  merchant_note: "Sent back",
  deducted_amount: 500,
  fully_deducted: 1,
  reversed_at: null,
  createdAt: "2026-01-05T08:00:00.000Z",
};

const dispute = Type.Object({
  id: Type.Integer(),
  refund_amount: Type.Union([Type.Integer(), Type.Null()]),
  currency: textOrNull,
  status: Type.Union(
    ["awaiting-merchant-feedback", "awaiting-bank-feedback", "pending", "resolved", "archived"].map(
      (word) => Type.Literal(word),
    ),
  ),
  resolution: textOrNull,
  domain: Type.String(),
  transaction: Type.Object({ id: Type.Integer(), reference: Type.String() }),
  dueAt: textOrNull,
  createdAt: Type.String(),
});
const disputeSample = {
  id: 358_950,
  refund_amount: 2450,
  currency: "GHS",
  status: "archived",
  resolution: "merchant-accepted",
  domain: "live",
  transaction: { id: 4_192_017_733, domain: "live", reference: "pay-1", amount: 2450 },
  transaction_reference: null,
  category: "general",
  dueAt: null,
  resolvedAt: "2026-01-06T08:00:00.000Z",
  history: [],
  messages: [],
  createdAt: "2026-01-05T08:00:00.000Z",
};

const settlement = Type.Object({
  id: Type.Integer(),
  domain: Type.String(),
  status: Type.Union(
    ["pending", "processing", "success", "failed"].map((word) => Type.Literal(word)),
  ),
  currency: Type.String(),
  effective_amount: Type.Integer(),
  total_fees: Type.Integer(),
  total_processed: Type.Integer(),
  settlement_date: Type.String(),
});
const settlementSample = {
  id: 3_114_027,
  domain: "live",
  status: "success",
  currency: "GHS",
  integration: 463_433,
  total_amount: 2402,
  effective_amount: 1902,
  total_fees: 48,
  total_processed: 2450,
  deductions: "500",
  settlement_date: "2026-01-06T00:00:00.000Z",
  settled_by: null,
  createdAt: "2026-01-06T00:00:06.000Z",
  updatedAt: "2026-01-06T00:00:06.000Z",
};

const settled = Type.Object({
  id: Type.Integer(),
  reference: Type.String(),
  amount: Type.Integer(),
  currency: Type.String(),
  fees: Type.Union([Type.Integer(), Type.Null()]),
});
const settledSample = {
  id: 4_192_017_733,
  domain: "live",
  status: "success",
  reference: "pay-1",
  amount: 2450,
  fees: 48,
  currency: "GHS",
  channel: "mobile_money",
  paid_at: "2026-01-05T08:00:00.000Z",
};

const verified = Type.Object({ id: Type.Integer(), reference: Type.String(), paid_at: textOrNull });

function noticeWith(data: TSchema): TSchema {
  return Type.Object({ event: Type.String(), data });
}

const refundNotice = Type.Object({
  domain: Type.String(),
  status: Type.String(),
  transaction_reference: Type.String(),
  refund_reference: textOrNull,
  id: Type.Optional(Type.Integer()),
});
const refundNoticeSample = {
  status: "pending",
  transaction_reference: "pay-1",
  refund_reference: null,
  amount: "500",
  currency: "GHS",
  processor: "mobile-money",
  customer: { first_name: "Ada", last_name: "Mensah", email: "ada@example.com" },
  integration: 463_433,
  domain: "live",
};

/** By operation, and by what a notice's event begins with. */
export const shapes = {
  "POST /charge": {
    schema: answerWith(
      Type.Object({
        reference: Type.String(),
        status: Type.String(),
        display_text: Type.Optional(Type.String()),
        ussd_code: Type.Optional(Type.String()),
        account_number: Type.Optional(Type.String()),
        account_reference: Type.Optional(Type.String()),
        url: Type.Optional(Type.String()),
        message: Type.Optional(textOrNull),
      }),
    ),
    samples: [
      sampleWith({ reference: "pay-1", status: "send_otp", display_text: "Enter the code" }),
      sampleWith({ reference: "pay-1", status: "pay_offline", display_text: "Approve it" }),
      sampleWith({ reference: "pay-1", status: "pay_offline", ussd_code: "*737*33*4*18791#" }),
      sampleWith({
        reference: "pay-1",
        status: "pay_offline",
        account_number: "888880",
        account_reference: "18791",
      }),
      sampleWith({ reference: "pay-1", status: "open_url", url: "https://pay.example/18791" }),
      sampleWith({ reference: "pay-1", status: "pending" }),
      sampleWith({ reference: "pay-1", status: "failed", message: "Declined" }),
    ],
  },
  "GET /transaction/verify/{reference}": {
    schema: answerWith(verified),
    samples: [
      sampleWith({ id: 4_192_017_733, reference: "pay-1", paid_at: "2026-01-05T08:00:00.000Z" }),
    ],
  },
  "GET /refund": {
    schema: answerWith(Type.Array(refund)),
    samples: [sampleWith([refundSample])],
  },
  "GET /refund/{id}": { schema: answerWith(refund), samples: [sampleWith(refundSample)] },
  "GET /dispute": {
    schema: answerWith(Type.Array(dispute)),
    samples: [sampleWith([disputeSample])],
  },
  "GET /dispute/{id}": { schema: answerWith(dispute), samples: [sampleWith(disputeSample)] },
  "GET /settlement": {
    schema: answerWith(Type.Array(settlement)),
    samples: [sampleWith([settlementSample])],
  },
  "GET /settlement/{id}/transactions": {
    schema: answerWith(Type.Array(settled)),
    samples: [sampleWith([settledSample])],
  },
  "charge.success": {
    schema: noticeWith(
      Type.Object({ id: Type.Integer(), domain: Type.String(), reference: Type.String() }),
    ),
    samples: [
      {
        event: "charge.success",
        data: { id: 302_961, domain: "live", status: "success", reference: "pay-1", amount: 2450 },
      },
    ],
  },
  refund: {
    schema: noticeWith(refundNotice),
    samples: [
      { event: "refund.pending", data: refundNoticeSample },
      { event: "refund.needs-attention", data: { ...refundNoticeSample, id: 7_041_221 } },
    ],
  },
  "charge.dispute": {
    schema: noticeWith(dispute),
    samples: [{ event: "charge.dispute.create", data: disputeSample }],
  },
} satisfies Record<string, Shape>;

export type Operation = keyof typeof shapes;

/** What the shapes call a notice of this event. */
export function noticeOf(event: string): string {
  return event.replace(/^(refund|charge\.dispute)\..+/, "$1");
}
