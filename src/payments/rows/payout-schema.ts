// Payouts on the wire.

import Type, { type Static } from "typebox";

import type { CurrencyCode } from "#kernel/currency.ts";
import { anyOf } from "#platform/http/contract/filters.ts";
import { states } from "#platform/http/contract/states.ts";
import { amountOf, at, from, list, shape, wire } from "#platform/http/contract/wire.ts";
import {
  choice,
  currency,
  day,
  idOf,
  line,
  nullable,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";

import {
  payoutLife,
  payoutLineKinds,
  payoutPlaces,
  payoutStates,
  payoutVerdicts,
} from "./payout-life.ts";
import type { PayoutFilters } from "./payout-queries.ts";
import { type Payout, type PayoutLine, unknownMinor, type WholePayout } from "./payout.ts";

/** The status of a payout, for the documentation. */
export const payoutStatus = states(
  { name: "PayoutStatus", about: "Where the money of the payout is.", life: payoutLife },
  {
    pending: "It is on its way.",
    paid: "It arrived.",
    failed: "It did not arrive, or the bank sent it back. What it had is in no payout.",
  },
);

const signedMinor = (description: string) => whole(undefined, undefined, { description });

const payoutFields = {
  id: idOf("payout"),
  source: Type.String({ description: "The gateway that paid it out." }),
  external_id: from(
    ({ name }: Payout) => name,
    Type.String({ description: "The source's name of it." }),
  ),
  status: payoutStatus.schema,
  currency,
  gross: amountOf((payout: Payout) => payout.grossMinor),
  gross_minor: signedMinor("The sum of its lines, before fees."),
  fee: amountOf((payout: Payout) => payout.feeMinor),
  fee_minor: signedMinor("What the source kept."),
  net: amountOf((payout: Payout) => payout.netMinor),
  net_minor: signedMinor(
    "What arrived: `gross - fee`. Below zero where the source took money from the bank.",
  ),
  into: { ...choice(payoutPlaces), description: "Where it arrived." },
  arrived_on: Type.String({
    ...day,
    description: "The day of the bank, also while it is awaited.",
  }),
  version: whole(1),
  created_at: at,
  updated_at: at,
};

export const payoutWire = wire<Payout>()("Payout", payoutFields);

/** A line with the currency of its payout. */
interface LineView extends PayoutLine {
  readonly currency: CurrencyCode;
}

const lineShape = shape<LineView>()(
  {
    kind: choice(payoutLineKinds),
    reference: nullable(Type.String({ description: "The source's name of what it is of." })),
    payment_id: nullable(idOf("payment")),
    refund_id: nullable(idOf("refund")),
    dispute_id: nullable(idOf("dispute")),
    gross: amountOf((one: LineView) => one.grossMinor),
    gross_minor: signedMinor("Below zero for what went back."),
    fee: amountOf((one: LineView) => one.feeMinor),
    fee_minor: whole(),
    verdict: {
      ...choice(payoutVerdicts),
      description:
        "How it agrees with what the shop knows: `matched`; `amount_differs` from the payment, the refund or the dispute; `paid_before`, since another payout has the payment; `unknown`, since nothing here has the name.",
    },
  },
  { name: "PayoutLine" },
);

interface WholePayoutView extends Payout {
  readonly lines: readonly PayoutLine[];
}

export const wholePayoutWire = wire<WholePayoutView>()("PayoutWithLines", {
  ...payoutFields,
  unknown_total: amountOf(({ lines }: WholePayoutView & Payout) => unknownMinor(lines)),
  unknown_total_minor: from(
    ({ lines }: WholePayoutView) => unknownMinor(lines),
    signedMinor("The sum of the lines of which the shop knows nothing."),
  ),
  lines: from(
    ({ lines, currency: code }: WholePayoutView): LineView[] =>
      lines.map((one) => ({ ...one, currency: code })),
    list(lineShape, { description: "In the order of the source." }),
  ),
});

/** Returns the row of which `wholePayoutWire` makes the response. */
export function viewPayout({ payout, lines }: WholePayout): WholePayoutView {
  return { ...payout, lines };
}

export const payoutQuerySchema = object({
  source: optional(line(40, { description: "The id of a gateway." })),
  status: anyOf(payoutStates),
});

/** Reads the filters of the list of payouts. */
export function readPayoutQuery(query: Static<typeof payoutQuerySchema>): PayoutFilters {
  return { source: query.source, status: query.status };
}
