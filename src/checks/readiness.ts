// Rules: what a shop lacks before customers can buy in it, and how it is paid. All of it follows from facts of its own
// tables; no page and no other check asks these questions.

import type { CurrencyCode } from "#kernel/currency.ts";
import {
  isGatewayMethod,
  isPaidInPerson,
  type PaymentMethod,
  paymentMethods,
} from "#kernel/payment-method.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Delivery } from "#pricing/shipping/lookups.ts";
import {
  canBeByHand,
  isOffered,
  methodTermsOf,
  type PaymentSettings,
  type Taker,
} from "#shop/store/payment-methods.ts";
import { newStoreSettings, type Store } from "#shop/store/store.ts";

import { type Check, type Finding, ok, todo } from "./check.ts";

/** The things that the rules look at. */
export interface ShopFacts {
  readonly mode: Mode;
  readonly store: Store;
  readonly hasOwner: boolean;
  /** True if some person gets messages about new orders. */
  readonly isTold: boolean;
  /** An active one that has a price. */
  readonly hasProduct: boolean;
  /** True if an active product has a picture. */
  readonly hasPicture: boolean;
  readonly sendsGoods: boolean;
  readonly delivery: Delivery;
  readonly hasTaxRates: boolean;
  readonly hasPaidOrder: boolean;
}

/** The reasons why customers of web pages cannot pay in a method. */
export const reasons = ["off", "no_gateway", "nowhere_to_pay", "not_online"] as const;

/** How a method is paid. */
export interface Way {
  readonly method: PaymentMethod;
  /** Takes the money; null if neither a gateway nor the merchant does. */
  readonly taker: Taker | null;
  /** True if customers learn where to pay: on a page, in person, or from what the merchant wrote. */
  readonly told: boolean;
  /** The currencies that it takes; empty for all. */
  readonly currencies: readonly CurrencyCode[];
  /** True if publishable keys can order in it. */
  readonly offered: boolean;
  /** Null if it is offered. */
  readonly why: (typeof reasons)[number] | null;
}

/** Returns how each method is paid in a shop of the mode. */
export function waysOf(settings: PaymentSettings, mode: Mode): readonly Way[] {
  return paymentMethods.map((method) => wayOf(settings, method, mode));
}

function wayOf(settings: PaymentSettings, method: PaymentMethod, mode: Mode): Way {
  const taker = takerOf(settings, method, mode);
  const why = whyNot(settings, method, taker);
  const { told, currencies } =
    taker === "gateway"
      ? { told: true, currencies: currenciesAtGateway(settings, method) }
      : toldByHand(settings, method);
  return { method, taker, told: taker !== null && told, currencies, offered: why === null, why };
}

function currenciesAtGateway({ gatewayCurrencies }: PaymentSettings, method: PaymentMethod) {
  return (isGatewayMethod(method) ? gatewayCurrencies[method] : undefined) ?? [];
}

/** Null where it is left to a gateway and none takes it. */
function takerOf(settings: PaymentSettings, method: PaymentMethod, mode: Mode): Taker | null {
  const { by } = methodTermsOf(settings, method);
  if (by === "hand") return canBeByHand(method, mode) ? by : null;
  return settings.gatewayMethods.some((one) => one === method) ? by : null;
}

function whyNot(settings: PaymentSettings, method: PaymentMethod, taker: Taker | null): Way["why"] {
  const { enabled, isSetUp } = methodTermsOf(settings, method);
  if (!enabled) return "off";
  if (taker === null) return "no_gateway";
  if (isOffered(settings, method, { isPublic: true })) return null;
  return isSetUp || isPaidInPerson(method) ? "not_online" : "nowhere_to_pay";
}

/** Tells if customers who pay by hand learn where to, and the currencies that are taken there. */
function toldByHand(settings: PaymentSettings, method: PaymentMethod) {
  const isWritten = methodTermsOf(settings, method).instructions !== null;
  if (isWritten || isPaidInPerson(method)) return { told: true, currencies: [] };
  const accounts = settings.receivingAccounts.filter((account) => account.method === method);
  const takesAll = accounts.some(({ currencies }) => currencies.length === 0);
  const taken = new Set(accounts.flatMap(({ currencies }) => currencies));
  return { told: accounts.length > 0, currencies: takesAll ? [] : [...taken] };
}

/** A row of the checklist that follows from the facts. */
interface ShopRow extends Pick<Check<never>, "name" | "href" | "blocks"> {
  readonly findingOf: (facts: ShopFacts) => Finding;
}

const shopPage = "/settings/shop";

/** In the order in which a new shop is set up. */
export const shopRows: readonly ShopRow[] = [
  {
    name: "owner",
    href: "/guides/dashboard#the-first-owner",
    findingOf: ({ hasOwner }) =>
      hasOwner
        ? ok("An owner can sign in.")
        : todo(
            "There is no owner who can sign in.",
            "Open the link that the server prints when it starts.",
          ),
  },
  {
    name: "name",
    href: shopPage,
    blocks: true,
    findingOf: ({ store: { name, currency } }) =>
      name === newStoreSettings.name
        ? todo("The shop has no name of its own.", "Name it, and choose its currency.")
        : ok(`${name} sells in ${currency}.`),
  },
  {
    name: "country",
    href: shopPage,
    findingOf: ({ store: { country } }) =>
      country === null
        ? todo(
            "The shop has no country.",
            "Choose it: taxes and phone numbers are read as from there.",
          )
        : ok(`The shop is in ${country}.`),
  },
  {
    name: "product",
    href: "/products/new",
    blocks: true,
    findingOf: ({ hasProduct }) =>
      hasProduct
        ? ok("There are products.")
        : todo("There is nothing to buy.", "Add a product, with a price and how many there are."),
  },
  {
    name: "picture",
    href: "/products",
    findingOf: ({ hasPicture }) =>
      hasPicture
        ? ok("Products have pictures.")
        : todo("No product has a picture.", "Add photos: customers buy what they see."),
  },
  {
    name: "way_to_pay",
    href: "/settings/payments",
    blocks: true,
    findingOf: ({ store, mode }) => findingOfWays(waysOf(store, mode)),
  },
  {
    name: "checkout",
    href: "/settings/checkout",
    findingOf: ({ store: { checkout } }) =>
      checkout.isAssumed === true
        ? todo(
            "An upgrade left out what the last orders did not have: a contact, an address or a name.",
            "Choose what customers must say before an order.",
          )
        : ok("It is chosen what customers say before an order."),
  },
  { name: "delivery", href: "/settings/shipping", blocks: true, findingOf: findingOfDelivery },
  {
    name: "contact",
    href: shopPage,
    blocks: true,
    findingOf: ({ store: { contactEmail, contactPhone } }) =>
      contactEmail === null && contactPhone === null
        ? todo(
            "Customers do not learn how to reach you.",
            "Write down an email or a phone number for them.",
          )
        : ok("Customers learn how to reach you."),
  },
  {
    name: "tax",
    href: "/settings/taxes",
    findingOf: ({ hasTaxRates, store: { noTaxes } }) => {
      if (hasTaxRates) return ok("Sales are taxed by the rates of the shop.");
      if (noTaxes) return ok("The shop charges no tax.");
      return todo(
        "Orders have no tax.",
        "Add the rates of your country, or say that there are none.",
      );
    },
  },
  {
    name: "told",
    href: "/me",
    findingOf: ({ isTold }) =>
      isTold
        ? ok("People of the shop are told of new orders.")
        : todo(
            "No person of the shop is told of new orders.",
            "Let them come to your phone, or confirm your email.",
          ),
  },
  {
    name: "first_order",
    href: "/orders/new",
    findingOf: ({ hasPaidOrder }) =>
      hasPaidOrder
        ? ok("Orders were paid.")
        : todo("No order was paid yet.", "Enter one yourself, or buy in your own web shop."),
  },
];

function findingOfWays(ways: readonly Way[]): Finding {
  const is = (why: Way["why"]) => ways.some((way) => way.why === why);
  if (ways.some(({ taker, offered }) => taker === "gateway" && offered)) {
    return ok("A payment provider takes payments.");
  }
  if (is(null)) return ok("Customers know where to pay.");
  if (is("nowhere_to_pay")) {
    return todo(
      "Customers are not told where to pay.",
      "Write down where money comes to, or connect a payment provider.",
    );
  }
  return is("not_online")
    ? ok("The shop takes money at its counter alone.")
    : todo("No way to pay is offered.", "Offer one.");
}

function findingOfDelivery({ delivery, sendsGoods }: ShopFacts): Finding {
  const { hasZones, hasPickup, unpriced, assumedFree } = delivery;
  if (unpriced.length > 0) {
    const remedy = "Add a price there, or say that delivery is free.";
    return todo(`Customers cannot order to ${unpriced.join(", ")} yet.`, remedy);
  }
  if (assumedFree.length > 0) {
    return todo(
      `Delivery to ${assumedFree.join(", ")} is free: the zone had no price before the upgrade.`,
      "Set the price. If it is free, change the name of the price, such as to Free delivery.",
    );
  }
  if (hasZones || hasPickup) return ok("Customers can choose how their goods come to them.");
  if (!sendsGoods) return ok("Nothing that the shop sells has to be sent.");
  return todo("Goods have to be sent, and no rate says what that costs.", "Add a zone and a rate.");
}
