// The shop's settings on the wire.

import Type, { type Static } from "typebox";

import type { Change, WholeChange } from "#kernel/change.ts";
import { type PaymentMethod, paymentMethods } from "#kernel/payment-method.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { added, amountOrNullOf, at, from, shape, wire } from "#platform/http/contract/wire.ts";
import {
  amountGiven,
  choice,
  component,
  countryCode,
  currency,
  idOf,
  inParagraphs,
  line,
  matching,
  nullable,
  object,
  optional,
  taxId,
  verbatim,
  whole,
} from "#platform/http/contract/words.ts";
import {
  addressRules,
  checkoutOf,
  type CheckoutRules,
  contactRules,
} from "#shop/store/checkout.ts";
import {
  type Notifications,
  type NotificationsGiven,
  notificationsOf,
  shippingTaxes,
} from "#shop/store/notifications.ts";
import { passkeyRules } from "#shop/store/passkey-rules.ts";
import {
  type MethodSettings,
  type MethodTerms,
  methodTermsOf,
} from "#shop/store/payment-methods.ts";
import { taker } from "#shop/store/schema.ts";
import type { Store } from "#shop/store/store.ts";

import { brandingChangeFields, brandingFields, readBrandingChange } from "./branding-schema.ts";
import {
  publicTermChangeFields,
  publicTermFields,
  readPublicTermsChange,
} from "./public-terms-schema.ts";
import type { StoreChange } from "./update-store.ts";

// Which emails the shop sends to customers, on the wire.

const meanings = {
  order_placed: "An order that is paid later was placed.",
  order_paid: "The order is paid.",
  order_shipped: "Units were shipped, once for each fulfillment.",
  order_cancelled: "The order was cancelled.",
  order_refunded: "Money was refunded.",
  cart_abandoned:
    "A cart was left at the checkout by a customer with `marketing_consent`. It needs `postal_address`.",
} as const satisfies Readonly<Record<keyof Notifications, string>>;

const flagOf = (name: keyof Notifications) => Type.Boolean({ description: meanings[name] });

const notificationsShape = shape<Notifications>()(
  {
    order_placed: from((all: Notifications) => all.order_placed, flagOf("order_placed")),
    order_paid: from((all: Notifications) => all.order_paid, flagOf("order_paid")),
    order_shipped: from((all: Notifications) => all.order_shipped, flagOf("order_shipped")),
    order_cancelled: from((all: Notifications) => all.order_cancelled, flagOf("order_cancelled")),
    order_refunded: from((all: Notifications) => all.order_refunded, flagOf("order_refunded")),
    cart_abandoned: from((all: Notifications) => all.cart_abandoned, flagOf("cart_abandoned")),
  },
  { description: "The emails that the shop sends to customers." },
);

/** The member in answers. */
const notificationsField = from(
  (store: { readonly notifications: NotificationsGiven }) => notificationsOf(store),
  notificationsShape,
);

/** The same in requests. */
const notificationsChange = optional(
  object(
    {
      order_placed: optional(flagOf("order_placed")),
      order_paid: optional(flagOf("order_paid")),
      order_shipped: optional(flagOf("order_shipped")),
      order_cancelled: optional(flagOf("order_cancelled")),
      order_refunded: optional(flagOf("order_refunded")),
      cart_abandoned: optional(flagOf("cart_abandoned")),
    },
    {
      description:
        "Turns the emails that are given on or off. Those about orders are on by default, and `cart_abandoned` is off.",
    },
  ),
);

const summaryAt = line(5, {
  ...verbatim,
  ...matching("^([01][0-9]|2[0-3]):[0-5][0-9]$", "This is not a time of the day, such as 20:00."),
  description:
    "When people of the shop are told what the day brought, as HH:MM in the time zone of the store.",
});
const recoveryByEmail = Type.Boolean({
  description:
    "Whether people who have forgotten their password get a link to their verified email. The setting of live mode decides.",
});

/** A template, not a URI: the braces of `{token}` are not legal in one. */
const recoveryUrlTemplate = line(2048, {
  ...verbatim,
  ...matching(
    "^https?://[^\\s/?#{}]+([/?#]\\S*)?$",
    "This is not an address of the web, such as https://shop.example.org/cart?token={token}.",
  ),
  description:
    "Address of the page that restores an abandoned cart. The token replaces {token}; without it, the token is added as ?token=.",
});
/** A token in it opens the order, so it travels in the clear on this machine alone. */
const orderUrlTemplate = line(2048, {
  ...verbatim,
  ...matching(
    "^(https://[^\\s/?#{}]+|http://(localhost|127\\.0\\.0\\.1)(:[0-9]+)?)([/?#]\\S*)?$",
    "This is not an address by https, such as https://shop.example.org/order?token={token}.",
  ),
  description:
    "Address of your own page of an order, by https; http only on this machine. `status_url` of orders, events and emails is it then, and the page reads the order by `GET /v2/orders/by-link`. The token replaces {token}; without it, the token is added as ?token=.",
});
/** Ten years, in minutes: longer than any shop reserves stock for an unpaid order. */
const ORDER_EXPIRY_MINUTES_MAX = 5_256_000;

/** Longer than two months, money that did not match is no longer in doubt but forgotten. */
const REVIEW_DAYS_MAX = 60;

const depositPercent = whole(1, 100, {
  description:
    "The part of a new order, in percent, that stops its expiry once it is paid. Orders that were placed before keep theirs.",
});
const reviewDays = whole(1, REVIEW_DAYS_MAX, {
  description: "How many days money in review stops the expiry of its order.",
});

const refundLimit = {
  description:
    "The most that a person, or a key with those that it replaces, refunds in 24 hours without the scope `refunds:write`, which staff do not have. Null sets no limit.",
};

const storefront = Type.Boolean({
  description:
    "Whether publishable keys may order and pay with it. By default they may once a gateway takes it or it has `instructions`, except with cash.",
});

const methodShape = shape<MethodTerms>()(
  {
    enabled: Type.Boolean(),
    by: taker,
    label: line(60),
    instructions: nullable(line(1000)),
    expires_minutes: nullable(whole(1)),
    storefront,
  },
  { name: "MethodTerms" },
);

const termsOf = (method: PaymentMethod) =>
  from((store: Store) => methodTermsOf(store, method), methodShape);

const methodsShape = shape<Store>()(
  {
    mobile_money: termsOf("mobile_money"),
    card: termsOf("card"),
    gateway: termsOf("gateway"),
    cash_on_delivery: termsOf("cash_on_delivery"),
    bank_transfer: termsOf("bank_transfer"),
    cash: termsOf("cash"),
  },
  { description: "The ways to pay that the shop offers, by payment method." },
);

const contactRule = choice(contactRules, {
  description:
    "The contact that an order needs: an email or a phone (`either`, the default), an `email`, a `phone`, or `none`.",
});
const addressRule = choice(addressRules, {
  description:
    "The orders that need a shipping address with a street, a city and a country: those with goods to ship (`shipped`, the default), `always`, or `never`. The country is the store's where the address has none; where nothing is shipped, a billing address will do.",
});
const needsName = Type.Boolean({ description: "Whether an order needs a name. True by default." });
export const checkoutShape = shape<CheckoutRules>()(
  publicFields({ contact: contactRule, address: addressRule, name: needsName }),
  {
    description:
      "What a customer must say before an order. It binds publishable keys, secret keys without `orders:write` or `carts:write`, and the pages behind links, never the merchant.",
  },
);

/** A thousand tonnes. */
const WEIGHT_GRAMS_MAX = 1_000_000_000;

const defaultWeightGrams = nullable(
  whole(0, WEIGHT_GRAMS_MAX, {
    description:
      "Grams that a unit without a weight of its own counts for shipping. Null counts it as 0.",
  }),
);

const country = Type.String({
  ...countryCode,
  description:
    "ISO 3166-1 alpha-2 code, such as GH. Phones without a country code are read as numbers of this country; if it is not set, they are refused.",
});

const requirePasskey = choice(passkeyRules, {
  description:
    "Who needs a passkey to sign in to the dashboard: no one, owners, or everyone. A person who has none adds one at the next sign-in. The setting of live mode decides, also for the dashboard of test mode.",
});
const pricesIncludeTax = Type.Boolean({
  description: "Whether prices contain tax. False by default: tax is added to them.",
});
const keptTaxed = Type.Boolean({
  description:
    "True: what is kept of the money for goods that were never sold, such as a deposit, has their taxes. False where the law taxes no compensation.",
});
const noTaxes = Type.Boolean({
  description:
    "Whether the shop charges no tax by decision: `GET /v2/checklist` then misses no tax rates. It changes no price; rates that there are hold.",
});
const shippingTax = choice(shippingTaxes, {
  description:
    "How shipping is taxed: at the rates of class `standard`, in proportion to the goods (`as_goods`), or not at all (`none`).",
});
const postalAddress = {
  description:
    "The postal address of the business in one line, which emails about carts must have.",
};
const legalName = { description: "The name of the business on invoices, if it is not the shop's." };

export const storeWire = wire<Store>()("Store", {
  id: idOf("store"),
  name: line(200),
  currency,
  timezone: line(64),
  country: nullable(country),
  low_stock_threshold: whole(0),
  order_expiry_minutes: nullable(whole(1)),
  recovery_url_template: nullable(recoveryUrlTemplate),
  order_url_template: added(nullable(orderUrlTemplate)),
  deposit_percent: depositPercent,
  review_days: reviewDays,
  refund_limit: amountOrNullOf((store: Store) => store.refundLimitMinor),
  refund_limit_minor: nullable(whole(0, undefined, refundLimit)),
  payment_methods: from((store: Store) => store, methodsShape),
  ...publicTermFields,
  checkout: from(checkoutOf, checkoutShape),
  require_passkey: requirePasskey,
  prices_include_tax: pricesIncludeTax,
  no_taxes: added(noTaxes),
  kept_taxed: added(keptTaxed),
  shipping_tax: shippingTax,
  legal_name: nullable(line(200, legalName)),
  postal_address: nullable(line(300, postalAddress)),
  tax_id: nullable(taxId),
  default_weight_grams: defaultWeightGrams,
  notifications: notificationsField,
  summary_at: added(summaryAt),
  recovery_by_email: added(recoveryByEmail),
  ...brandingFields,
  version: whole(1),
  created_at: at,
  updated_at: at,
});

const byHandOnly = optional(nullable(choice(["hand"])));
const byEither = optional(nullable(taker));

const methodChange = <By extends typeof byEither | typeof byHandOnly>(name: string, by: By) =>
  optional(
    component(name, {
      enabled: optional(Type.Boolean()),
      by,
      label: optional(nullable(line(60))),
      instructions: optional(nullable(line(1000, inParagraphs))),
      expires_minutes: optional(nullable(whole(1, ORDER_EXPIRY_MINUTES_MAX))),
      storefront: optional(nullable(storefront)),
    }),
  );

export const storeChangeSchema = object({
  name: optional(line(200)),
  currency: optional(currency),
  timezone: optional(line(64, { description: "IANA name, such as Africa/Accra." })),
  country: optional(nullable(country)),
  low_stock_threshold: optional(whole(0, 1_000_000_000)),
  order_expiry_minutes: optional(nullable(whole(1, ORDER_EXPIRY_MINUTES_MAX))),
  recovery_url_template: optional(nullable(recoveryUrlTemplate)),
  order_url_template: optional(nullable(orderUrlTemplate)),
  deposit_percent: optional(depositPercent),
  review_days: optional(reviewDays),
  refund_limit: optional(nullable(amountGiven)),
  ...publicTermChangeFields,
  checkout: optional(
    object(
      {
        contact: optional(nullable(contactRule)),
        address: optional(nullable(addressRule)),
        name: optional(nullable(needsName)),
      },
      { description: "Replaces the rules that are given. Null restores the default of one." },
    ),
  ),
  require_passkey: optional(requirePasskey),
  prices_include_tax: optional(pricesIncludeTax),
  no_taxes: optional(noTaxes),
  kept_taxed: optional(keptTaxed),
  shipping_tax: optional(shippingTax),
  legal_name: optional(nullable(line(200, legalName))),
  postal_address: optional(nullable(line(300, postalAddress))),
  tax_id: optional(nullable(taxId)),
  default_weight_grams: optional(defaultWeightGrams),
  notifications: notificationsChange,
  summary_at: optional(summaryAt),
  recovery_by_email: optional(recoveryByEmail),
  ...brandingChangeFields,
  payment_methods: optional(
    object(
      {
        mobile_money: methodChange("MethodChange", byEither),
        card: methodChange("MethodChange", byEither),
        gateway: methodChange("MethodChange", byEither),
        cash_on_delivery: methodChange("HandMethodChange", byHandOnly),
        bank_transfer: methodChange("HandMethodChange", byHandOnly),
        cash: methodChange("HandMethodChange", byHandOnly),
      },
      {
        description:
          "Replaces the fields that are given, of the methods that are given. Null restores a field's default.",
      },
    ),
  ),
});

/** Reads a change of the settings from a request body. */
export function readStoreChange(body: Static<typeof storeChangeSchema>): WholeChange<StoreChange> {
  return {
    name: body.name,
    currency: body.currency,
    timezone: body.timezone,
    country: body.country,
    lowStockThreshold: body.low_stock_threshold,
    orderExpiryMinutes: body.order_expiry_minutes,
    recoveryUrlTemplate: body.recovery_url_template,
    orderUrlTemplate: body.order_url_template,
    depositPercent: body.deposit_percent,
    reviewDays: body.review_days,
    refundLimit: body.refund_limit,
    checkout: body.checkout,
    requirePasskey: body.require_passkey,
    pricesIncludeTax: body.prices_include_tax,
    noTaxes: body.no_taxes,
    keptTaxed: body.kept_taxed,
    shippingTax: body.shipping_tax,
    legalName: body.legal_name,
    postalAddress: body.postal_address,
    taxId: body.tax_id,
    defaultWeightGrams: body.default_weight_grams,
    notifications: body.notifications,
    summaryAt: body.summary_at,
    recoveryByEmail: body.recovery_by_email,
    ...readBrandingChange(body),
    ...readPublicTermsChange(body),
    paymentMethods: readMethods(body.payment_methods),
  };
}

type MethodsGiven = NonNullable<Static<typeof storeChangeSchema>["payment_methods"]>;

function readMethods(given: MethodsGiven | undefined): StoreChange["paymentMethods"] {
  if (given === undefined) return undefined;
  const read: Partial<Record<PaymentMethod, Change<MethodSettings>>> = {};
  for (const method of paymentMethods) {
    const { expires_minutes: expiresMinutes, ...settings } = given[method] ?? {};
    if (given[method] !== undefined) read[method] = { ...settings, expiresMinutes };
  }
  return read;
}
