// The forms of the cart. Each changes the cart by `/v2` as a stranger does and leads back to it with GET; what is refused
// is said in a sentence, and the cart is as it was.

import { productWire } from "#catalog/products/schema.ts";
import { nullIfGone, Refused } from "#dashboard/kit/asker.ts";
import { isObject } from "#kernel/assume.ts";
import { SECOND_MS } from "#kernel/time.ts";
import { asciiDigits } from "#platform/html/read-form.ts";
import { cartWire } from "#sales/carts/schema.ts";

import { cartCookie } from "./cart-cookie.ts";
import { type Cart, cartPage, findCart } from "./cart-page.ts";
import { shownProduct } from "./product-page.ts";
import type { Product, ShopVisit } from "./shop-visit.ts";

type Form = URLSearchParams;

/** The forms by the last part of their address. */
export const cartForms: Readonly<
  Record<string, (visit: ShopVisit, form: Form) => Promise<Response>>
> = {
  add,
  change,
  code: changeCodes,
  checkout,
};

/** A second press adds nothing: within this time after the first one. */
const ONCE_MS = SECOND_MS;
const adding = new Map<string, Promise<unknown>>();

async function add(visit: ShopVisit, form: Form): Promise<Response> {
  const product = await askedProduct(visit, form);
  const variantId = product === null ? form.get("variant_id") : variantOf(product, form);
  if (product !== null && variantId === null) {
    const problem = visit.words.faults.noCombination;
    return shownProduct(visit, product, { asked: null, problem, status: 422 });
  }
  const line = { variant_id: variantId ?? "", quantity: quantityOf(form) };
  return orExplain(visit, async () => {
    const cart = await findCart(visit);
    if (cart === null) {
      const body = { line_items: [line] };
      const made = await visit.asker.ask(cartWire, "POST /v2/carts", { body });
      return toCart(visit, cartCookie(made.id, visit.terms));
    }
    await once(`${cart.id} ${form.toString()}`, () =>
      visit.asker.answerOf("POST /v2/carts/{id}/lines", { params: { id: cart.id }, body: line }),
    );
    return toCart(visit, cartCookie(cart.id, visit.terms));
  });
}

/** The product whose options the form names; null where it names a variant. */
async function askedProduct({ asker }: ShopVisit, form: Form): Promise<Product | null> {
  const id = form.get("product_id");
  if (id === null) return null;
  return asker.ask(productWire, "GET /v2/products/{id}", { params: { id } }).catch(nullIfGone);
}

/** The id of the variant that has all the options of the form; null for none. */
function variantOf({ options, variants }: Product, form: Form): string | null {
  const found = variants.find((variant) =>
    options.every(({ name }, at) => variant.options[name] === form.get(`o${at}`)),
  );
  return found?.id ?? null;
}

/** The work of a key runs once, also when it is asked for again right after. Work that failed may run again. */
async function once(key: string, work: () => Promise<unknown>): Promise<void> {
  const first = adding.get(key);
  if (first !== undefined) {
    await first;
    return;
  }
  const running = work();
  adding.set(key, running);
  try {
    await running;
    setTimeout(() => adding.delete(key), ONCE_MS).unref();
  } catch (error) {
    adding.delete(key);
    throw error;
  }
}

function change(visit: ShopVisit, form: Form): Promise<Response> {
  return orExplain(visit, async () => {
    const cart = await findCart(visit);
    if (cart === null) return toCart(visit);
    const params = { id: cart.id, line_id: form.get("line") ?? "" };
    if (form.has("remove")) {
      await visit.asker.answerOf("DELETE /v2/carts/{id}/lines/{line_id}", { params });
    } else {
      const body = { quantity: quantityOf(form) };
      await visit.asker.answerOf("PUT /v2/carts/{id}/lines/{line_id}", { params, body });
    }
    return toCart(visit);
  });
}

function changeCodes(visit: ShopVisit, form: Form): Promise<Response> {
  return orExplain(visit, async () => {
    const cart = await findCart(visit);
    if (cart === null) return toCart(visit);
    const dropped = form.get("drop");
    const added = (form.get("code") ?? "").trim();
    const kept = cart.discount_codes.filter((code) => code !== dropped);
    const body = { discount_codes: added === "" ? kept : [...kept, added] };
    await visit.asker.answerOf("PUT /v2/carts/{id}", { params: { id: cart.id }, body });
    return toCart(visit);
  });
}

/** Begins the checkout, and leads to its page. */
function checkout(visit: ShopVisit): Promise<Response> {
  return orExplain(visit, async () => {
    const cart = await findCart(visit);
    if (cart === null) return toCart(visit);
    const params = { id: cart.id };
    const begun: Cart = await visit.asker.ask(cartWire, "POST /v2/carts/{id}/checkout", { params });
    return onward(
      begun.checkout_url === null ? visit.path("/cart") : visit.source(begun.checkout_url),
    );
  });
}

function quantityOf(form: Form): number {
  const typed = asciiDigits((form.get("quantity") ?? "1").trim());
  return /^\d{1,9}$/.test(typed) ? Number(typed) : 1;
}

/** The cart with a sentence about what the interface refused; other failures are thrown again. */
async function orExplain(visit: ShopVisit, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused) || error.status === 429 || error.status >= 500) throw error;
    const status = error.status === 409 ? 409 : 422;
    return cartPage(visit, { problem: sentenceOf(visit, error), status });
  }
}

const TOO_MANY = new Set(["too_many_units", "too_many", "too_large"]);
const NOT_FOR_SALE = new Set(["variant_not_for_sale", "price_missing", "unknown_variant"]);

function sentenceOf({ words: { faults } }: ShopVisit, { problem }: Refused): string {
  const listed = problem["errors"];
  const named = Array.isArray(listed)
    ? listed.map((one: unknown) => isObject(one) && one["code"])
    : [];
  const codes = [problem["code"], ...named];
  if (codes.some((one) => typeof one === "string" && TOO_MANY.has(one))) return faults.tooMany;
  if (codes.some((one) => typeof one === "string" && NOT_FOR_SALE.has(one)))
    return faults.notForSale;
  return faults.refused;
}

function toCart(visit: ShopVisit, cookie?: string): Response {
  return onward(visit.path("/cart"), cookie);
}

function onward(location: string, cookie?: string): Response {
  const headers = new Headers({ Location: location, "Cache-Control": "no-store" });
  if (cookie !== undefined) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 303, headers });
}
