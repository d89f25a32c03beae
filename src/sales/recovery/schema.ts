// Recovered carts on the wire: the request, and the cart with what changed since it was left.

import Type from "typebox";

import type { CurrencyCode } from "#kernel/currency.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { from, list, printAmount, shape, wire } from "#platform/http/contract/wire.ts";
import {
  choice,
  idOf,
  line,
  object,
  verbatim,
  type WireAmount,
} from "#platform/http/contract/words.ts";
import type { CartDifference } from "#pricing/quote/price-cart.ts";
import { type CartAnswer, cartFields, viewCart } from "#sales/carts/schema.ts";
import { type LinkTerms, TOKEN_LENGTH_MAX } from "#sales/links/link-token.ts";

import type { RecoveredCart } from "./recover-cart.ts";

export const recoverySchema = object(publicFields({ token: line(TOKEN_LENGTH_MAX, verbatim) }));

const difference = Type.Unsafe<WireAmount | string | null>({
  type: ["number", "string", "null"],
  description: "An amount if `field` is `unit_price`, a code if it is `problem`.",
});

/** A difference with the currency of its cart. */
type DifferenceView = CartDifference & { readonly currency: CurrencyCode };

const differenceShape = shape<DifferenceView>()(
  publicFields({
    variant_id: idOf("variant"),
    field: choice(["unit_price", "problem"]),
    before: from((one: DifferenceView) => printSide(one, "before"), difference),
    after: from((one: DifferenceView) => printSide(one, "after"), difference),
  }),
);

interface RecoveredView extends CartAnswer {
  readonly differences: readonly CartDifference[];
}

export const recoveredCartWire = wire<RecoveredView>()("RecoveredCart", {
  ...cartFields,
  ...publicFields({
    changes: from(
      ({ differences, currency: code }: RecoveredView) =>
        differences.map((one) => ({ ...one, currency: code })),
      list(differenceShape, {
        description: "The differences from the cart as the customer last saw it.",
      }),
    ),
  }),
});

/** Returns the row of which `recoveredCartWire` makes the response. */
export function viewRecovered(
  { differences, ...priced }: RecoveredCart,
  linkTerms: LinkTerms,
): RecoveredView {
  return { ...viewCart(priced, linkTerms), differences };
}

function printSide(one: DifferenceView, side: "before" | "after"): WireAmount | string | null {
  if (one.field === "problem") return one[side];
  const minor = one[side];
  return minor === null ? null : printAmount(minor, one.currency);
}
