// How the customer of a cart gets the goods: what the shop offers, what is chosen, and what has to be known first. The
// sentences are written for customers, and never name the customer's address.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { print } from "#pay-page/sums.ts";
import type { Words } from "#pay-page/words/en.ts";
import type { Localized } from "#pay-page/words/localize.ts";
import type { Tx } from "#platform/database/database.ts";
import { optionUnavailable } from "#pricing/quote/refusals.ts";
import { placeOf, type QuotedOption } from "#pricing/quote/shipping-choice.ts";
import type { ShippingOptionId } from "#pricing/shipping/shipping-charge.ts";
import { cartAt, lockCart } from "#sales/carts/lookups.ts";
import { updateCart } from "#sales/carts/update-cart.ts";
import type { CartChange } from "#sales/carts/validate-cart-change.ts";
import { priceOrderable } from "#sales/recovery/recover-cart.ts";
import type { Cart, PricedCart } from "#sales/rows/cart.ts";
import type { LimitedCaller } from "#shop/store/public-limits.ts";

import { countriesOf, type Country, countryName } from "./read-address.ts";

/** A way to get the goods, as the page offers it. */
export interface ShownOption extends Pick<QuotedOption, "kind"> {
  readonly id: ShippingOptionId;
  readonly label: string;
  /** With its currency, or that it is free. */
  readonly price: string;
  /** How long it takes, or where the goods are fetched; empty where nothing is known. */
  readonly remarks: readonly string[];
}

export interface DeliveryChoices {
  /** The country to which it goes; null while it is not known. */
  readonly to: string | null;
  readonly options: readonly ShownOption[];
  /** Null unless it is one of the options. */
  readonly chosen: ShippingOptionId | null;
  /** The fault of the choice, or of the address. */
  readonly problem: string | null;
  /** The part of the address that has to be known before the options are; `another` where it may be replaced. */
  readonly asks: "address" | "country" | "another";
  /** The countries to which the shop delivers. */
  readonly countries: readonly Country[];
}

/** A cart with what its customer may choose from. */
interface CartToDeliver {
  readonly cart: Cart;
  readonly orderable: PricedCart;
  readonly destinations: readonly string[] | null;
}

/** Returns true if the customer has a delivery to choose: something ships, and the merchant named no charge. */
export function isChoosable({ price }: PricedCart): boolean {
  return price.problem !== null || (price.breakdown?.shipping.optionId ?? null) !== null;
}

/** Returns what the customer chooses from; null where there is nothing to choose. */
export function deliveryOf(
  { cart, orderable, destinations }: CartToDeliver,
  shop: Localized,
): DeliveryChoices | null {
  const { price, lines } = orderable;
  const { language, words } = shop;
  if (lines.length === 0 || !isChoosable(orderable)) return null;
  const { country } = placeOf({ country: null }, cart);
  // Without an address the rates are those of the shop's own country, which may not be the customer's.
  const isPlaced = country !== null || price.problem === null;
  const offered = price.options.filter(({ kind }) => isPlaced || kind === "pickup");
  const isChosen = price.problem === null;
  const to = country === null ? null : countryName(country, language);
  return {
    to,
    options: offered.map((option) => shownOption(option, cart.currency, shop)),
    chosen: isChosen ? cart.shippingOptionId : null,
    problem: isChosen
      ? null
      : problemOf({ to, offered, asked: cart.shippingOptionId }, words.delivery),
    asks: asksOf(cart, country),
    countries: countriesOf(destinations, language),
  };
}

/** The option of a form; without one the chosen option. Null where it is not offered, or none is chosen. */
export function readOption(
  form: URLSearchParams,
  { options, chosen }: DeliveryChoices,
): ShippingOptionId | null {
  const posted = form.get("shipping");
  if (posted === null) return chosen;
  return options.find(({ id }) => id === posted)?.id ?? null;
}

interface Offer {
  readonly to: string | null;
  readonly offered: readonly QuotedOption[];
  /** The option that is not offered; null where none was chosen. */
  readonly asked: ShippingOptionId | null;
}

function problemOf({ to, offered, asked }: Offer, says: Words["delivery"]): string | null {
  if (to === null || offered.some(({ kind }) => kind === "rate")) {
    return asked === null ? null : says.gone;
  }
  return `${says.notTo(to)} ${offered.length > 0 ? says.collectInstead : says.askShop}`;
}

function asksOf({ shippingAddress }: Cart, country: string | null): DeliveryChoices["asks"] {
  if (country !== null) return "another";
  return (shippingAddress?.line1 ?? null) === null ? "address" : "country";
}

function shownOption(
  { id, kind, label, amountMinor, minDays, maxDays, description, address }: QuotedOption,
  currency: CurrencyCode,
  { locale, words: { delivery: says } }: Localized,
): ShownOption {
  const place = address === null ? [] : [address.line1, address.line2, address.city];
  const parts = place.filter((part) => part !== null);
  const where = parts.length === 0 ? "" : says.collectAt(parts.join(", "));
  return {
    id,
    kind,
    label,
    price: amountMinor === 0 ? says.free : print(amountMinor, currency, locale),
    remarks: [daysOf({ minDays, maxDays }, says), where, description ?? ""].filter(
      (text) => text !== "",
    ),
  };
}

function daysOf(
  { minDays, maxDays }: Pick<QuotedOption, "minDays" | "maxDays">,
  says: Words["delivery"],
): string {
  const least = minDays ?? 0;
  if (maxDays === null) return least === 0 ? "" : says.atLeast(least);
  if (maxDays === 0) return says.sameDay;
  if (least === 0) return says.upTo(maxDays);
  return least < maxDays ? says.between(least, maxDays) : says.inDays(maxDays);
}

// Story: the customer of a link says who they are, where the goods go, or how. The cart keeps it, so that the page can be
// left and opened again.

export type DeliveryChange =
  Pick<CartChange, "customer" | "shippingAddress"> | { readonly optionId: ShippingOptionId };

/**
 * Changes the contact, the address or the shipping option of the cart; nothing where it was completed meanwhile. Refuses with
 * `shipping_unavailable` for an option that is not offered, and as `updateCart` does.
 */
export async function chooseDelivery(
  tx: Tx,
  { id, filledBy }: { readonly id: Id<"cart">; readonly filledBy: LimitedCaller },
  change: DeliveryChange,
): Promise<void> {
  const cart = await lockCart(tx, id);
  if (cart.orderId !== null) return;
  if (!("optionId" in change)) {
    await updateCart(tx, id, { change: { ...change, filledBy }, expected: null });
    return;
  }
  const { optionId } = change;
  const { lines } = await cartAt(tx, cart, tx.now);
  const pricing = { atMs: tx.now, judgesLimits: false };
  const { price } = await priceOrderable(tx, { cart, lines }, pricing);
  if (!price.options.some((one) => one.id === optionId)) {
    throw optionUnavailable(price.options, cart.currency);
  }
  await updateCart(tx, id, { change: { shipping: { optionId }, filledBy }, expected: null });
}
