// The books on the wire.

import Type from "typebox";

import { inBounds } from "#kernel/money.ts";
import {
  amountOf,
  at,
  from,
  inBothUnits,
  list,
  shape,
  wire,
} from "#platform/http/contract/wire.ts";
import { currency, day, object, optional, whole } from "#platform/http/contract/words.ts";
import { namedActorShape } from "#shop/entries/schema.ts";
import { paymentMethod } from "#shop/store/schema.ts";

import type { CashUp, CashUpOfCurrency, Sum, SumByHand, SumOfMethod } from "./read-cash-up.ts";

export const cashUpQuerySchema = object({
  day: optional(
    Type.String({
      ...day,
      description: "A day in the shop's time zone such as 2026-01-31; today by default.",
    }),
  ),
});

const sum = {
  payments: whole(0),
  ...inBothUnits("received", ({ receivedMinor }: Sum) => receivedMinor),
  corrected: amountOf(({ correctedMinor }: Sum) => correctedMinor),
  corrected_minor: from(
    ({ correctedMinor }: Sum) => correctedMinor,
    whole(undefined, undefined, {
      description:
        "What corrections on the day changed, of payments of any day; negative if they took money off.",
    }),
  ),
  refunds: whole(0),
  refunded: amountOf(({ refundedMinor }: Sum) => refundedMinor),
  refunded_minor: from(
    ({ refundedMinor }: Sum) => refundedMinor,
    whole(undefined, undefined, {
      description: "Negative if refunds that were counted on an earlier day failed.",
    }),
  ),
  net: amountOf(netOf),
  net_minor: from(netOf, whole()),
};

function netOf({ receivedMinor, correctedMinor, refundedMinor }: Sum): number {
  return inBounds(receivedMinor + correctedMinor - refundedMinor);
}

const ofMethod = shape<SumOfMethod>()({ method: paymentMethod, ...sum });

const byHand = shape<SumByHand>()({
  method: paymentMethod,
  actor: namedActorShape,
  ...sum,
});

const ofCurrency = shape<CashUpOfCurrency>()({
  currency,
  ...sum,
  by_method: list(ofMethod),
  by_hand: list(byHand, {
    description: "Money that no gateway moved, by who recorded it: what each hands over.",
  }),
});

export const cashUpWire = wire<CashUp>()("CashUp", {
  day: Type.String(day),
  timezone: Type.String(),
  from: at,
  to: at,
  currencies: list(ofCurrency),
});
