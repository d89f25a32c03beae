// All operations that the router serves, for tests that call each of them.

import { routes } from "#interface.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";

import { sendDue } from "../emails/mail-shop.ts";
import { paidOut } from "../payments/paid-out.ts";
import { named } from "../support/cast.ts";
import { picture } from "../support/pictures.ts";
import type { Answered, RequestOptions, TestShop } from "../support/shop.ts";

/** The name of an operation in a test. */
export function nameOf(route: AnyRoute): string {
  return `${route.method} ${route.path}`;
}

/** Every operation with its name, for `test.each`. */
export const operations: readonly [name: string, route: AnyRoute][] = routes.map((route) => [
  nameOf(route),
  route,
]);

/** Every operation of the document, with the former ways that it has, in alphabetical order. */
export const documentedNames: readonly string[] = routes
  .flatMap((route) => [
    nameOf(route),
    ...route.also
      .filter(({ isDocumented }) => isDocumented)
      .map(({ method, path }) => `${method} ${path}`),
  ])
  .toSorted();

/** Lines of the document, with those of the former ways that are served without standing in it. */
export function withFormerWays(lines: readonly string[]): string[] {
  const former = routes.flatMap((route) =>
    route.also
      .filter(({ isDocumented }) => !isDocumented)
      .flatMap(({ method, path }) =>
        lines
          .filter((line) => `${line} `.startsWith(`${nameOf(route)} `))
          .map((line) => line.replace(nameOf(route), `${method} ${path}`)),
      ),
  );
  return [...lines, ...former].toSorted();
}

/** The operations that return pages and need no data, nor a customer who is signed in. */
export const lists = operations.filter(
  ([, route]) => route.kind === "list" && !route.path.includes("{") && !route.asCustomer,
);

/** A well-formed id that does not exist. */
function unknownId(pattern: string): string {
  // A payment's path accepts any reference, including its id.
  const prefix = /^\^([a-z]+)_/.exec(pattern)?.[1] ?? "pay";
  return `${prefix}_01h455vb4pex5vsknk084sn02q`;
}

/** The path of an operation, with the given parameters, else with unknown ones. */
export function pathOf(route: AnyRoute, ids: Readonly<Record<string, string>> = {}): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const pattern = route.params[name]?.pattern ?? "";
    return ids[prefixOf(pattern)] ?? unknownId(pattern);
  });
}

function prefixOf(pattern: string): string {
  return unknownId(pattern).split("_")[0] ?? "";
}

/** The beginning of a PNG, which is no whole picture. */
const CUT_OFF_PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1Pe";

/** Calls an operation, with an empty body where it takes one. */
export function call(
  shop: TestShop,
  route: AnyRoute,
  options: RequestOptions & { readonly ids?: Readonly<Record<string, string>> } = {},
): Promise<Answered> {
  const path = pathOf(route, options.ids);
  if (route.file !== null) {
    const headers = { "Content-Type": "image/png", ...options.headers };
    const text = Uint8Array.fromBase64(CUT_OFF_PNG);
    return shop.send(route.method, path, { ...options, text, headers });
  }
  const body = route.method === "GET" ? {} : { text: "{}" };
  return shop.send(route.method, path, { ...options, ...body });
}

/** A closed port of this machine. */
export const UNHEARD = "http://127.0.0.1:9/hooks";

/** One resource of each kind, by the prefix of its id; with a number in each unique name in a shared shop. */
export async function stock(shop: TestShop): Promise<Record<string, string>> {
  const number = shop.nextNumber() ?? "";
  const customer = await shop.post("/v2/customers", { email: `ada${number}@example.com` });
  const product = await shop.post("/v2/products", {
    ...named(shop, "Mug"),
    price: 10,
    currency: "USD",
    stock: 6,
  });
  const variant = product.string("/variants/0/id");
  const order = await shop.post("/v2/orders", {
    line_items: [{ variant_id: variant, quantity: 1 }],
  });
  const sent = await shop.post("/v2/orders", {
    line_items: [{ variant_id: variant, quantity: 1 }],
  });
  const shipped = await shop.put(`/v2/orders/${sent.id}/fulfill`);
  const cart = await shop.post("/v2/carts", {
    line_items: [{ variant_id: variant, quantity: 1 }],
  });
  const payment = await shop.post("/v2/payments/initialize", { amount: 5, currency: "USD" });
  const paid = { amount: 5, currency: "USD" };
  const cash = { ...paid, method: "bank_transfer" };
  const counted = await shop.post("/v2/payments/initialize", cash);
  await shop.post(`/v2/payments/${counted.id}/confirm`, paid);
  const refund = await shop.post(`/v2/payments/${counted.id}/refunds`, { amount: 1 });
  const card = { method: "card", card_token: "pm_card_createDispute" };
  await shop.post("/v2/payments/initialize", { amount: 5, currency: "USD", ...card });
  await shop.post("/v2/test/clock/advance", { seconds: 10 });
  const disputes = await shop.get("/v2/disputes?limit=1");
  const payout = await paidOut(shop, disputes.string("/data/0/payment_id"));
  const key = await shop.post("/v2/keys", { name: "Till" });
  const webhook = await shop.post("/v2/webhooks", { url: UNHEARD, events: ["webhook.*"] });
  const ping = await shop.post(`/v2/webhooks/${webhook.id}/ping`);
  await shop.put("/v2/store", { country: "US" });
  const rate = await shop.post("/v2/tax-rates", {
    country: "GH",
    name: `Levy${number}`,
    rate: 0.5,
  });
  const collection = await shop.post("/v2/collections", { title: "Cups" });
  await shop.put(`/v2/collections/${collection.id}/products`, { product_ids: [product.id] });
  const discount = await shop.post("/v2/discounts", {
    title: "Summer",
    target: "lines",
    percent: 10,
    codes: [`SUMMER${number}`],
  });
  const zone = await shop.post("/v2/shipping-zones", {
    name: "Ghana",
    places: [{ country: "GH" }],
  });
  const shipping = await shop.post("/v2/shipping-rates", {
    zone_id: zone.id,
    name: "Rider",
    kind: "flat",
    tiers: [{ from: 0, amounts: [{ currency: "USD", amount: 5 }] }],
  });
  const location = await shop.post("/v2/pickup-locations", {
    name: "Shop",
    address: { country: "GH" },
  });
  const email = await emailOf(shop, variant);
  const medium = await shop.send("POST", "/v2/media", {
    text: Uint8Array.from(await picture("png")),
    headers: { "Content-Type": "image/png" },
  });
  const event = (await shop.get("/v2/events?limit=1")).string("/data/0/id");
  return {
    cus: customer.id,
    prod: product.id,
    var: variant,
    ord: order.id,
    li: order.string("/line_items/0/id"),
    ful: shipped.string("/fulfillments/0/id"),
    cart: cart.id,
    cl: cart.string("/line_items/0/id"),
    pay: payment.id,
    ref: refund.id,
    dsp: disputes.string("/data/0/id"),
    po: payout,
    key: key.id,
    med: medium.id,
    whk: webhook.id,
    dlv: ping.id,
    txr: rate.id,
    shz: zone.id,
    shr: shipping.id,
    loc: location.id,
    rcv: await accountOf(shop),
    disc: discount.id,
    col: collection.id,
    evt: event,
    eml: email,
  };
}

/** A receiving account; a reset keeps that of before. */
async function accountOf(shop: TestShop): Promise<string> {
  const [known] = (await shop.get("/v2/receiving-accounts")).list("/data");
  if (known !== undefined) return String(Object(known).id);
  const till = { method: "mobile_money", label: "MTN", instructions: "024 123 4567" };
  return (await shop.post("/v2/receiving-accounts", till)).id;
}

/** An email that was sent, so that it can be sent again. */
async function emailOf(shop: TestShop, variant: string): Promise<string> {
  await shop.post("/v2/orders", {
    customer: { email: "kofi@example.com" },
    line_items: [{ variant_id: variant, quantity: 1 }],
    payment_method: "cash_on_delivery",
  });
  await sendDue(shop, "test");
  return (await shop.get("/v2/emails?limit=1")).string("/data/0/id");
}
