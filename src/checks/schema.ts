// The checklist on the wire.

import Type from "typebox";

import { added, list, shape, wire } from "#platform/http/contract/wire.ts";
import {
  choice,
  currency,
  line,
  nullable,
  object,
  optional,
} from "#platform/http/contract/words.ts";
import { paymentMethod, taker } from "#shop/store/schema.ts";

import { areas, type CheckRow, states } from "./check.ts";
import { reasons, type Way } from "./readiness.ts";

/** More than there are. */
const ROWS_MAX = 100;
const SENTENCE_MAX = 1_000;

const checkWire = shape<CheckRow>()({
  check: line(40, { description: "The name of the check. Later versions have more." }),
  area: choice(areas),
  state: choice(states, {
    description:
      "`todo` waits for the merchant, `fail` harms the shop now, and of `unknown` nothing could be found out.",
  }),
  found: line(SENTENCE_MAX, { description: "What was found, as a sentence in English." }),
  do: nullable(
    line(SENTENCE_MAX, { description: "What to do about it; null where there is nothing to do." }),
  ),
  href: line(SENTENCE_MAX, {
    description: "The path of the page on which it is done, or is explained.",
  }),
  blocks: Type.Boolean({ description: "Whether it has to be done before customers come." }),
});

const wayShape = shape<Way>()(
  {
    method: paymentMethod,
    taker: nullable(taker),
    told: Type.Boolean({
      description:
        "Whether customers learn where to pay: on the page of a gateway, in person, or from `instructions` and receiving accounts.",
    }),
    currencies: Type.Array(currency, {
      description: "The currencies that it takes; empty for all.",
    }),
    offered: Type.Boolean({ description: "Whether publishable keys can order in it." }),
    why: nullable(
      choice(reasons, {
        description:
          "Why it is not offered: it is `off`, is left to a gateway that does not take it, customers would learn `nowhere_to_pay`, or it is taken by the merchant alone and `not_online`.",
      }),
    ),
  },
  { name: "PaymentWay" },
);

interface Readiness {
  readonly checks: readonly CheckRow[];
  readonly ways: readonly Way[];
}

export const checklistWire = wire<Readiness>()("Checklist", {
  checks: list(checkWire, { maxItems: ROWS_MAX }),
  ways: added(list(wayShape, { description: "How each payment method is taken." })),
});

export const checklistQuerySchema = object({
  area: optional(
    choice(areas, { description: "Only the checks of this area; `shop` asks no other server." }),
  ),
});
