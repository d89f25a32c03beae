// A new order on the wire: the request, and that of a cart's completion.

import Type, { type Static } from "typebox";

import { contactOnRecord, type Customer, hasProved } from "#customers/customer.ts";
import { addressGivenSchema, taxExemption } from "#customers/schema.ts";
import { defined } from "#kernel/change.ts";
import { SENT_NAMES } from "#kernel/metadata.ts";
import { PAYMENT_METHOD_DEFAULT } from "#kernel/payment-method.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import {
  about,
  amountGiven,
  cardFree,
  component,
  currency,
  identifying,
  idOf,
  line,
  metadata,
  nullable,
  object,
  optional,
  percentGiven,
  taxClass,
  taxId,
  verbatim,
  whole,
} from "#platform/http/contract/words.ts";
import {
  codesGiven,
  readCodesGiven,
  readShippingGiven,
  shippingGiven,
} from "#pricing/quote/schema.ts";
import {
  channelGiven,
  contactObject,
  lineMetadataGiven,
  readShared,
  sharedGiven,
} from "#sales/carts/schema.ts";
import { emptyShared, LINES_MAX, QUANTITY_MAX } from "#sales/rows/cart.ts";
import type { OrderLineRequest } from "#sales/rows/match-lines.ts";
import { paymentMethod } from "#shop/store/schema.ts";

import type { Completion } from "./complete-cart.ts";
import {
  type ManualRequest,
  merchantVisit,
  type OrderRequest,
  type Visit,
} from "./order-request.ts";

/** A line of an order in a request: of a variant, or the merchant's own. */
const orderLineGiven = component(
  "OrderLineItemInput",
  {
    id: optional(idOf("lineItem")),
    ...publicFields({ variant_id: optional(idOf("variant")) }),
    name: optional(
      line(200, {
        description: "With `unit_price`, names something that is not in the catalog.",
      }),
    ),
    unit_price: optional(
      Type.Union(amountGiven.anyOf, {
        description:
          "The price of one unit without a variant, in major units. Needs `orders:write`.",
      }),
    ),
    sku: optional(line(100, { ...identifying, description: "Of a line without a variant." })),
    tax_class: optional({
      ...taxClass,
      description:
        "Of a line without a variant, by default `standard`; a line that the order has keeps its own.",
    }),
    ...publicFields({ quantity: whole(1, QUANTITY_MAX) }),
    ...lineMetadataGiven,
  },
  { "x-either": [["variant_id"], ["name", "unit_price", "sku?", "tax_class?"]] },
);
/** The lines of an order in a request. */
export const lineItems = Type.Array(orderLineGiven, { minItems: 1, maxItems: LINES_MAX });
const address = nullable(addressGivenSchema);
const UNMET_CODES =
  "A code that does not apply is refused with `discount_not_applicable`, unless the customer pays no more without it.";

const totalGiven = optional(
  Type.Union(amountGiven.anyOf, {
    description: "Refuse with `total_changed` unless this is the total, in major units.",
  }),
);

const manualGiven = component(
  "OrderDiscountInput",
  {
    title: line(100),
    amount: optional(Type.Union(amountGiven.anyOf, { description: "In major units." })),
    percent: optional(percentGiven),
  },
  {
    "x-either": [["amount"], ["percent"]],
    description: "The merchant's own discount on the order. Needs `orders:write`.",
  },
);

export const orderRequestSchema = object({
  ...publicFields({ line_items: lineItems }),
  customer_id: optional(idOf("customer")),
  ...publicFields({
    customer: optional(
      about(
        contactObject,
        "Matched by email, then by phone. A new customer is created if neither matches. The order keeps what is sent here; the record of a known customer takes only what it lacks, from keys with `customers:write`.",
      ),
    ),
    payment_method: optional(paymentMethod),
    currency: optional(currency),
  }),
  channel: optional(channelGiven),
  external_id: optional(nullable(line(255, { ...cardFree, ...verbatim }))),
  ...publicFields({ shipping_address: optional(address), billing_address: optional(address) }),
  ...publicFields({
    shipping: optional(shippingGiven),
    discount_codes: optional(codesGiven(UNMET_CODES)),
    tax_id: optional(nullable(taxId)),
  }),
  discount: optional(nullable(manualGiven)),
  tax_exemption: optional(
    about(
      taxExemption,
      "The customer's own if not given. Needs `orders:write`. In a store of the European Union `reverse_charge` needs a VAT number of another member state, and an address there.",
    ),
  ),
  ...sharedGiven,
  ...publicFields({ metadata: optional(metadata) }, { names: SENT_NAMES }),
  ...publicFields({ expected_total: totalGiven }),
});

export const completionSchema = object({
  ...publicFields({ payment_method: optional(paymentMethod) }),
  ...publicFields({ metadata: optional(metadata) }, { names: SENT_NAMES }),
  ...publicFields({ expected_total: totalGiven }),
});

/** Reads the body of a new order, of the customer whose session it came with. A key that only creates orders is a customer's. */
export function readOrderRequest(
  body: Static<typeof orderRequestSchema>,
  caller: Caller,
  { signedIn, ...proof }: Visit = merchantVisit,
): OrderRequest {
  const isFromMerchant = caller.scopes.has("orders:write");
  return {
    written: {
      ...emptyShared,
      ...defined(readShared(body)),
      cartId: null,
      paymentMethod: body.payment_method ?? PAYMENT_METHOD_DEFAULT,
    },
    contact: {
      customerId: body.customer_id,
      signedInId: signedIn?.id,
      customer: readCustomer(body.customer, signedIn),
    },
    sale: readSale(body),
    trust: {
      isFromMerchant,
      isCustomerProved: signedIn !== null || isFromMerchant || body.customer_id !== undefined,
      needsShipping: caller.isPublic,
      fillsCustomer: signedIn === null && mayFillCustomer(caller),
      hasProvedContact: signedIn !== null && hasProved(signedIn),
      placedBy: caller,
      ...proof,
    },
  };
}

function readSale(body: Static<typeof orderRequestSchema>): OrderRequest["sale"] {
  const codes = readCodesGiven(body.discount_codes ?? []);
  return {
    lines: readLines(body.line_items),
    currency: body.currency,
    shipping: readShippingGiven(body.shipping) ?? null,
    codes,
    requiredCodes: codes,
    discount: readManualGiven(body.discount ?? null),
    taxExemption: body.tax_exemption,
    taxId: body.tax_id ?? null,
    expectedTotal: body.expected_total,
  };
}

/** A key in a public page must not write to the record of any customer whose email it knows. */
function mayFillCustomer({ scopes }: Pick<Caller, "scopes">): boolean {
  return scopes.has("customers:write");
}

/** Reads the body of a cart's completion. A key that only uses carts is a customer's. */
export function readCompletion(
  body: Static<typeof completionSchema>,
  caller: Caller,
  visit: Visit = merchantVisit,
): Completion {
  return {
    visit,
    paymentMethod: body.payment_method,
    metadata: body.metadata,
    keepsNames: caller.isPublic,
    isFromMerchant: caller.scopes.has("carts:write"),
    placedBy: caller,
    expectedTotal: body.expected_total,
    fillsCustomer: mayFillCustomer(caller),
  };
}

/** Reads lines; the check of `x-either` comes before. */
export function readLines(lines: Static<typeof lineItems>): OrderLineRequest[] {
  return lines.map((given) => {
    const { variant_id: variantId, name, unit_price: unitPrice, sku, ...others } = given;
    const { tax_class: ownClass, ...rest } = others;
    if (variantId !== undefined) return { variantId, ...rest };
    // The check of `x-either` comes before.
    if (name === undefined || unitPrice === undefined) throw new Error("A line sells nothing.");
    return { variantId: null, sku: sku ?? null, name, unitPrice, taxClass: ownClass, ...rest };
  });
}

function readManualGiven(given: Static<typeof manualGiven> | null): ManualRequest | null {
  if (given === null) return null;
  const { title, amount, percent } = given;
  if (percent !== undefined) return { title, percent };
  // The check of `x-either` comes before.
  if (amount === undefined) throw new Error("The discount takes nothing off.");
  return { title, amount };
}

/** A customer who is signed in and names neither email nor phone has those of the record. */
function readCustomer(
  given: Static<typeof orderRequestSchema>["customer"],
  signedIn: Customer | null,
) {
  if (given === undefined) return undefined;
  const { email = null, phone = null, name = null } = given;
  const isNamed = email !== null || phone !== null || signedIn === null;
  return { ...(isNamed ? { email, phone } : contactOnRecord(signedIn)), name };
}
