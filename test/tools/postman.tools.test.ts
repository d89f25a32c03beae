// The collection that openapi-to-postmanv2 makes of the document, as Postman shows it after an import: its bodies
// are the examples of the document, and the shop accepts each of them.

import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { documentedNames, operations, pathOf, stock } from "../contract/operations.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";
import { openWorkbench, TOOL_MS_MAX } from "./tools.ts";

setDefaultTimeout(TOOL_MS_MAX);

interface Request {
  /** Such as `POST /v2/orders/{id}/refunds`. */
  readonly operation: string;
  readonly body: string | null;
}

let requests: readonly Request[] = [];

beforeAll(async () => {
  await using bench = await openWorkbench();
  const options = ["--options", "parametersResolution=Example"];
  const files = ["--spec", "openapi.json", "--output", "collection.json"];
  await bench.run("openapi2postmanv2", ...files, ...options);
  requests = requestsIn(await Bun.file(bench.folder.file("collection.json")).json());
});

/** The requests of a collection, or of a folder of it. */
function requestsIn(folder: unknown): Request[] {
  const { item = [], request } = Object(folder);
  const inner: Request[] = item.flatMap(requestsIn);
  if (request === undefined) return inner;
  const path = request.url.path.map((part: string) => part.replace(/^:(.*)$/, "{$1}")).join("/");
  return [{ operation: `${request.method} /${path}`, body: request.body?.raw ?? null }, ...inner];
}

/** Replaces the ids of an example, which are of another shop, by those of a shop. */
function withIdsOf(ids: Readonly<Record<string, string>>, body: string): string {
  return body.replaceAll(/\b([a-z]+)_[0-9a-z]{26}\b/g, (id, prefix: string) => ids[prefix] ?? id);
}

test("the collection has a request for every operation", () => {
  expect(requests.map(({ operation }) => operation).toSorted()).toEqual([...documentedNames]);
});

/** A shop with one resource of each kind; returns their ids by prefix. Its variant fits every example. */
async function stocked(shop: TestShop): Promise<Record<string, string>> {
  const ids = await stock(shop);
  const product = await shop.post("/v2/products", {
    name: "Enamel Mug",
    options: [{ name: "Color", values: ["Blue", "Red"] }],
    variants: [
      {
        options: { Color: "Blue" },
        prices: ["USD", "KES"].map((currency) => ({ currency, amount: 10 })),
        stock: 50,
      },
    ],
  });
  const variant = product.string("/variants/0/id");
  await shop.put(`/v2/carts/${ids["cart"]}`, {
    line_items: [{ variant_id: variant, quantity: 1 }],
    shipping: { pickup_location_id: ids["loc"] },
  });
  return { ...ids, prod: product.id, var: variant };
}

test("the shop accepts the body of every request", async () => {
  const refused = [];
  for (const { operation, body } of requests) {
    const route = operations.find(([name]) => name === operation)?.[1];
    if (route === undefined || body === null) continue;
    await using shop = await openTestShop();
    const ids = await stocked(shop);
    const text = withIdsOf(ids, body);
    const answer = await shop.send(route.method, pathOf(route, ids), { text });
    if (answer.status >= 300) refused.push(`${operation}: ${answer.code}`);
  }

  // Not for their bodies: a link opens a cart of the shop that made it, and here nothing is paid or shipped yet, no
  // customer is signed in or was sent a code, a picture is no text, the cart has other lines, and the only collection
  // cannot be below itself.
  expect(refused.toSorted()).toEqual([
    "POST /v2/carts/recover: recovery_link_invalid",
    "POST /v2/customer-sessions: code_invalid",
    "POST /v2/media: image_unsupported",
    "POST /v2/orders/{id}/fulfillments/{fulfillment_id}/cancel: fulfillment_not_found",
    "POST /v2/orders/{id}/refunds/preview: refund_exceeds_captured",
    "POST /v2/orders/{id}/refunds: refund_exceeds_captured",
    "POST /v2/orders/{id}/returns/preview: validation_failed",
    "POST /v2/orders/{id}/returns: validation_failed",
    "POST /v2/orders/{id}/write-off: validation_failed",
    "POST /v2/payments/{ref}/accept: invalid_transition",
    "POST /v2/payments/{ref}/confirm: invalid_transition",
    "POST /v2/payments/{ref}/correct: invalid_transition",
    "POST /v2/payments/{ref}/otp: invalid_transition",
    "POST /v2/payments/{ref}/refunds: invalid_transition",
    "POST /v2/refunds/{id}/cancel: invalid_transition",
    "POST /v2/refunds/{id}/close: invalid_transition",
    "POST /v2/refunds/{id}/decline: invalid_transition",
    "PUT /v2/carts/{id}/lines/{line_id}: cart_line_not_found",
    "PUT /v2/collections/{id}: validation_failed",
    "PUT /v2/me: customer_session_invalid",
    "PUT /v2/orders/{id}/fulfillments/{fulfillment_id}: fulfillment_not_found",
  ]);
});
