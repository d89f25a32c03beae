// The ways to pay and the gateways of a shop, on the wire.

import Type, { type Static } from "typebox";

import type { CurrencyCode } from "#kernel/currency.ts";
import { amountSentence, parseAmount } from "#kernel/money.ts";
import { gatewayMethods } from "#kernel/payment-method.ts";
import type { SavedCustom } from "#payments/gateways/custom-gateways.ts";
import type { KnownGateway, ShownCustom } from "#payments/gateways/known-gateways.ts";
import type {
  Coverage,
  OfferedMethod,
  PaymentToOffer,
} from "#payments/gateways/offered-methods.ts";
import { accountShape } from "#payments/rows/schema.ts";
import { provider } from "#payments/rows/word-schema.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { queryInvalid } from "#platform/http/contract/refusals.ts";
import { added, list, shape, wire } from "#platform/http/contract/wire.ts";
import {
  amountGiven,
  choice,
  currency,
  line,
  nullable,
  object,
  optional,
  verbatim,
  whole,
} from "#platform/http/contract/words.ts";
import { URL_LENGTH_MAX } from "#platform/net/target-url.ts";
import { paymentMethod, taker } from "#shop/store/schema.ts";

export const paymentMethodQuerySchema = object(
  publicFields({
    currency: optional(currency),
    amount: optional(
      Type.Union(amountGiven.anyOf, {
        description: "In major units. Leaves out what does not take this amount.",
      }),
    ),
  }),
);

/** The methods for payments of one currency. */
export interface MethodsOfCurrency {
  readonly currency: CurrencyCode;
  readonly methods: readonly OfferedMethod[];
}

const providersOf = (description: string) => Type.Array(provider, { description });

export const methodShape = shape<OfferedMethod>()(
  publicFields({
    method: paymentMethod,
    label: Type.String({ description: "The name of the method in this shop, for customers." }),
    by: taker,
    providers: providersOf(
      "The providers of `mobile_money` through a gateway, which asks for the `phone` that pays; otherwise empty.",
    ),
    instructions: added(
      nullable(
        Type.String({
          description:
            "What the merchant wrote for customers who pay by hand; null where that is nothing, and at a gateway.",
        }),
      ),
    ),
    accounts: added(
      list(accountShape, {
        description: "By hand: the accounts of the shop for this currency, in their order.",
      }),
    ),
  }),
  { name: "OfferedMethod" },
);

export const paymentMethodsWire = wire<MethodsOfCurrency>()(
  "PaymentMethods",
  publicFields({ currency, methods: list(methodShape) }),
);

const coverageShape = shape<Coverage>()({
  method: choice(gatewayMethods),
  currencies: Type.Array(currency),
  providers: providersOf("The providers of `mobile_money`; otherwise empty."),
});

const label = nullable(
  Type.String({ description: "The adapter's name for itself; null before it described itself." }),
);

const standing = choice(["new", "open", "retired"], {
  description:
    "A retired gateway takes no new payments; those it has go on. So does a `new` one, until its adapter has described itself at its URL.",
});

const gatewayShape = shape<KnownGateway>()({
  id: Type.String({ description: "As in the `gateway` of a payment." }),
  kind: added(
    choice(["built_in", "custom"], {
      description: "`custom`: of the shop's own, an adapter that speaks the contract of Duka.",
    }),
  ),
  label: added(label),
  standing,
  url: added(
    nullable(Type.String({ description: "Where the adapter is; null of a gateway of Duka." })),
  ),
  version: added(
    nullable(
      whole(1, undefined, { description: "Of one of the shop's own; null of one of Duka." }),
    ),
  ),
  takes: list(coverageShape),
});

export const gatewaysWire = wire<{ readonly gateways: readonly KnownGateway[] }>()("Gateways", {
  gateways: list(gatewayShape, { description: "In the order in which they are asked." }),
});

// A gateway of the shop's own, as people are answered who change it.

const ownFields = {
  id: Type.String(),
  label,
  standing,
  url: Type.String(),
  version: whole(1),
};

export const customGatewayWire = wire<ShownCustom>()("CustomGateway", ownFields);

export const customGatewayWithSecretWire = wire<SavedCustom>()("CustomGatewayWithSecret", {
  ...ownFields,
  secret: nullable(
    Type.String({
      description:
        "Signs calls and notices, and cannot be retrieved later; null where the adapter has it already.",
    }),
  ),
});

export const gatewayChangeSchema = object({
  url: line(URL_LENGTH_MAX, {
    ...verbatim,
    description:
      "An https URL without a query, on port 443 or 8443 of a public host. At another one than before the gateway is `new` until it is checked.",
  }),
  standing: optional(
    choice(["open", "retired"], {
      description: "`retired` takes no new payments; `open` takes it back from that.",
    }),
  ),
});

/** Reads what is to be paid. Refuses with `query_invalid` an amount that the currency does not have. */
export function readPaymentToOffer(
  query: Static<typeof paymentMethodQuerySchema>,
  asker: Pick<PaymentToOffer, "isPublic" | "mode" | "currency">,
): PaymentToOffer {
  const { amount, currency: asked = asker.currency } = query;
  const { isPublic, mode } = asker;
  if (amount === undefined) return { currency: asked, amountMinor: null, isPublic, mode };
  const parsed = parseAmount(amount, asked);
  if ("amountMinor" in parsed) return { currency: asked, isPublic, mode, ...parsed };
  const { fault: code } = parsed;
  const detail = amountSentence(code, asked);
  throw queryInvalid({ faults: [{ parameter: "amount", code, detail }] });
}
