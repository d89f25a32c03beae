// Answers of Paystack's API that its own document describes otherwise than its samples show them: a shape of what the
// gateway reads, beside a sample that proves it. The samples have the members and types of those in Paystack's API
// reference (Charge, Refund and Dispute), with values of our own.

import Type, { type TSchema } from "typebox";

interface Shape {
  readonly schema: TSchema;
  readonly samples: readonly unknown[];
}

const textOrNull = Type.Union([Type.String(), Type.Null()]);

function answerWith(data: TSchema): TSchema {
  return Type.Object({ status: Type.Boolean(), message: Type.String(), data });
}

function sampleWith(data: unknown): unknown {
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

/** By operation. */
export const shapes = {
  "POST /charge": {
    schema: answerWith(
      Type.Object({
        reference: Type.String(),
        status: Type.String(),
        display_text: Type.Optional(Type.String()),
        message: Type.Optional(textOrNull),
      }),
    ),
    samples: [
      sampleWith({ reference: "pay-1", status: "send_otp", display_text: "Enter the code" }),
      sampleWith({ reference: "pay-1", status: "pay_offline", display_text: "Approve it" }),
      sampleWith({ reference: "pay-1", status: "pending" }),
      sampleWith({ reference: "pay-1", status: "failed", message: "Declined" }),
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
} satisfies Record<string, Shape>;

export type Operation = keyof typeof shapes;
