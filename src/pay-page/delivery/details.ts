// The details that the customer of a cart gives before anything is paid, as the shop asks for them. The page shows nothing
// of those that are known.

import type { LocalizedStore } from "#pay-page/words/localize.ts";
import { shapeCheck } from "#platform/http/contract/check-shape.ts";
import { emailGiven, line } from "#platform/http/contract/words.ts";
import { textReader } from "#platform/http/intake/texts.ts";
import type { CartChange } from "#sales/carts/validate-cart-change.ts";
import type { Cart, CartContact, PricedCart } from "#sales/rows/cart.ts";

import { PHONE_EXAMPLE, phoneOf } from "../ways-to-pay.ts";
import type { Words } from "../words/en.ts";
import { readAddress } from "./read-address.ts";

/** The fields that the page asks for. */
export interface Details {
  readonly name: boolean;
  readonly email: boolean;
  readonly phone: boolean;
  /** True if one of email and phone is enough. */
  readonly isEither: boolean;
  readonly address: boolean;
}

/** Returns the fields that are missing; null where nothing is. */
export function detailsOf({ price }: PricedCart): Details | null {
  const missing = new Set(price.missing.map(({ problem }) => problem));
  if (missing.size === 0) return null;
  const isEither = missing.has("contact_required");
  return {
    name: missing.has("name_required"),
    email: isEither || missing.has("email_required"),
    phone: isEither || missing.has("phone_required"),
    isEither,
    address: missing.has("address_required"),
  };
}

const emailAsKept = textReader(emailGiven);
const emailFaults = shapeCheck(emailGiven);
const name = line(200);
const nameAsKept = textReader(name);
const nameFaults = shapeCheck(name);

/** Reads what was typed. Returns a sentence instead for what the customer must correct. */
export async function readDetails(
  form: URLSearchParams,
  details: Details,
  { cart, store }: { readonly cart: Cart; readonly store: LocalizedStore },
): Promise<Pick<CartChange, "customer" | "shippingAddress"> | string> {
  const customer = await readContact(form, details, { cart, store });
  if (typeof customer === "string" || !details.address) {
    return typeof customer === "string" ? customer : { customer };
  }
  const shippingAddress = readAddress(form, cart.shippingAddress, store);
  return typeof shippingAddress === "string" ? shippingAddress : { customer, shippingAddress };
}

/** The contact of the cart with what was typed; a part that was not asked for stays. */
async function readContact(
  form: URLSearchParams,
  details: Details,
  { cart, store }: { readonly cart: Cart; readonly store: LocalizedStore },
): Promise<CartContact | string> {
  const typed = (part: keyof CartContact) => (details[part] ? (form.get(part) ?? "").trim() : "");
  const said = {
    email: emailAsKept(typed("email")),
    phone: typed("phone") === "" ? "" : await phoneOf(typed("phone"), store.country),
    name: nameAsKept(typed("name").replaceAll(/\s+/g, " ")),
  };
  const fault = faultOf(said, details, store.words);
  if (fault !== null) return fault;
  const after = (part: keyof CartContact) => (said[part] === "" ? cart[part] : said[part]);
  return { email: after("email"), phone: after("phone"), name: after("name") };
}

/** The parts as they are kept, empty where nothing was typed; a phone is null if it cannot be read. */
interface Typed {
  readonly email: string;
  readonly phone: string | null;
  readonly name: string;
}

/** A sentence for the first part that is missing or cannot be read. */
function faultOf({ email, phone, name: called }: Typed, details: Details, words: Words) {
  const { noName, noEmail, noContact } = words.details;
  const isDue = (part: "email" | "phone") => details[part] && !details.isEither;
  const isNoEmail = emailFaults(email).length > 0;
  const faults: readonly (readonly [boolean, string])[] = [
    [details.name && nameFaults(called).length > 0, noName],
    [isNoEmail && (isDue("email") || email !== ""), noEmail],
    [phone === null || (phone === "" && isDue("phone")), words.ways.noPhone(PHONE_EXAMPLE)],
    [details.isEither && email + phone === "", noContact],
  ];
  return faults.find(([isFault]) => isFault)?.[1] ?? null;
}
