// The operations of the interface as the tests walk through them: all that the router serves.

import type { AnyRoute } from "#platform/http/contract/route.ts";
import { routes } from "#server.ts";

import type { Answered, RequestOptions, TestShop } from "../support/shop.ts";

/** How an operation is called in a test's name. */
export function nameOf(route: AnyRoute): string {
  return `${route.method} ${route.path}`;
}

/** Every operation with its name, as `test.each` takes them. */
export const operations: readonly [name: string, route: AnyRoute][] = routes.map((route) => [
  nameOf(route),
  route,
]);

/** The operations that answer pages and need nothing to exist. */
export const lists = operations.filter(
  ([, route]) => route.kind === "list" && !route.path.includes("{"),
);

/** An id of the right form that nobody has. */
function unknownId(pattern: string): string {
  // A payment's path takes any reference, its id among them.
  const prefix = /^\^([a-z]+)_/.exec(pattern)?.[1] ?? "pay";
  return `${prefix}_01h455vb4pex5vsknk084sn02q`;
}

/** The path of an operation, its parameters as given or unknown to everybody. */
export function pathOf(route: AnyRoute, ids: Readonly<Record<string, string>> = {}): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const pattern = route.params[name]?.pattern ?? "";
    return ids[prefixOf(pattern)] ?? unknownId(pattern);
  });
}

function prefixOf(pattern: string): string {
  return unknownId(pattern).split("_")[0] ?? "";
}

/** Calls an operation, with an empty body where it takes one. */
export function call(
  shop: TestShop,
  route: AnyRoute,
  options: RequestOptions & { readonly ids?: Readonly<Record<string, string>> } = {},
): Promise<Answered> {
  const body = route.method === "GET" ? {} : { text: "{}" };
  return shop.send(route.method, pathOf(route, options.ids), { ...options, ...body });
}

/** On this machine, at the port of a service that nobody runs any more. */
export const UNHEARD = "http://127.0.0.1:9/hooks";

/** One of everything, by the prefix of its id. */
export async function stock(shop: TestShop): Promise<Record<string, string>> {
  const customer = await shop.post("/v2/customers", { email: "ada@example.com" });
  const product = await shop.post("/v2/products", {
    name: "Mug",
    sku: "MUG",
    price: 10,
    currency: "USD",
    stock: 5,
  });
  const variant = product.string("/variants/0/id");
  const order = await shop.post("/v2/orders", {
    line_items: [{ variant_id: variant, quantity: 1 }],
  });
  const cart = await shop.post("/v2/carts");
  const payment = await shop.post("/v2/payments/initialize", { amount: 5, currency: "USD" });
  const key = await shop.post("/v2/keys", { name: "Till" });
  const webhook = await shop.post("/v2/webhooks", { url: UNHEARD, events: ["webhook.*"] });
  const ping = await shop.post(`/v2/webhooks/${webhook.id}/ping`);
  const event = (await shop.get("/v2/events")).string("/data/0/id");
  return {
    cus: customer.id,
    prod: product.id,
    var: variant,
    ord: order.id,
    li: order.string("/line_items/0/id"),
    cart: cart.id,
    pay: payment.id,
    key: key.id,
    whk: webhook.id,
    dlv: ping.id,
    evt: event,
  };
}
