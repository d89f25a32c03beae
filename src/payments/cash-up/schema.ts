// The cash-up of a day, on the wire.

import Type from "typebox";

import { inBounds } from "#kernel/money.ts";
import { paymentMethods } from "#kernel/payment-method.ts";
import {
  amountOf,
  at,
  from,
  inBothUnits,
  list,
  shape,
  wire,
} from "#platform/http/contract/wire.ts";
import { choice, currency, object, optional, whole } from "#platform/http/contract/words.ts";
import { namedActorShape } from "#shop/audit-log/schema.ts";

import type { CashUp, CashUpOfCurrency, Sum, SumByHand, SumOfMethod } from "./read-cash-up.ts";

const day = Type.String({ format: "date", maxLength: 40 });

export const cashUpQuerySchema = object({
  day: optional({
    ...day,
    description: "A day in the shop's time zone such as 2026-01-31; today by default.",
  }),
});

const sum = {
  payments: whole(0),
  ...inBothUnits("received", ({ receivedMinor }: Sum) => receivedMinor),
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

function netOf({ receivedMinor, refundedMinor }: Sum): number {
  return inBounds(receivedMinor - refundedMinor);
}

const ofMethod = shape<SumOfMethod>()({ method: choice(paymentMethods), ...sum });

const byHand = shape<SumByHand>()({
  method: choice(paymentMethods),
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
  day,
  timezone: Type.String(),
  from: at,
  to: at,
  currencies: list(ofCurrency),
});
