// Field by field, what publishable keys may send and are told: `audience.json` has the decision on each field
// of the operations that they may call, and the shop does what it says.
// Accept with `ACCEPT_AUDIENCE=1 bun test test/contract/audience.test.ts`.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { document, routes } from "#interface.ts";
import { publicView } from "#platform/http/audience/public-view.ts";
import { isPublishable } from "#shop/keys/scopes.ts";

import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";
import { type AudienceLine, audienceLines, objectOf } from "./audience-lines.ts";
import { nameOf } from "./operations.ts";

const FILE = new URL("audience.json", import.meta.url);

const lines = audienceLines(JSON.parse(JSON.stringify(document())));
const publicRoutes = routes.filter(isPublishable);

let shop: TestShop;
let key: string;
let told: Readonly<Record<string, Answered>>;

beforeAll(async () => {
  shop = await openTestShop({ asks: "nothing" });
  key = await shop.createKey({ scopes: ["storefront"] });
  told = await answersToStranger();
});

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

/** What a stranger is answered of resources that have all that a merchant keeps for themselves. */
async function answersToStranger(): Promise<Record<string, Answered>> {
  const metadata = { public_size: "M", margin: 4 };
  const mug = await shop.post("/v2/products", {
    name: "Mug",
    metadata,
    variants: [{ sku: "MUG", prices: [{ amount: 10 }], stock: 96, metadata }],
  });
  const pot = await shop.post("/v2/products", { name: "Pot", related_product_ids: [mug.id] });
  const line_items = [{ variant_id: mug.string("/variants/0/id"), quantity: 1 }];
  const ada = { email: "ada@example.com", phone: "+233201234567", name: "Ada" };
  const customer = await shop.post("/v2/customers", { ...ada, tags: ["v i p"] });
  const kept = { customer_id: customer.id, channel: "market", external_id: "b 1", metadata };
  const described = { ...line_items[0], metadata };
  const cart = await shop.post("/v2/carts", { line_items: [described, ...line_items], ...kept });
  const gone = await shop.post("/v2/carts", { line_items, email: ada.email });
  await shop.post(`/v2/carts/${gone.id}/checkout`);
  shop.clock.advance(3_600_000);
  await shop.fireDue();
  const link = new URL((await shop.get(`/v2/carts/${gone.id}`)).string("/recovery_url"));
  const token = link.pathname.split("/").at(-1);
  const path = `/v2/carts/${cart.id}`;
  const [line, spareLine] = [0, 1].map(
    (at) => `${path}/lines/${cart.string(`/line_items/${at}/id`)}`,
  );
  const asStranger = { key };
  const order = await shop.post("/v2/orders", { line_items, customer: ada }, asStranger);
  const due = { order_id: order.id, method: "gateway" };
  await shop.post("/v2/payments/initialize", { ...due, metadata });
  const payment = await shop.post("/v2/payments/initialize", due, asStranger);
  const rule = { q: "margin mug", tags: ["v i p"] };
  await shop.post("/v2/collections", { title: "For few", rule });
  const collection = await shop.post("/v2/collections", { title: "Cups" });
  const cups = `/v2/collections/${collection.id}`;
  await shop.put(`${cups}/products/${mug.id}`);
  return {
    "GET /v2/collections": await shop.get("/v2/collections", asStranger),
    "GET /v2/collections/{id}": await shop.get(cups, asStranger),
    "GET /v2/collections/{id}/facets": await shop.get(`${cups}/facets`, asStranger),
    "GET /v2/collections/{id}/products": await shop.get(`${cups}/products`, asStranger),
    "GET /v2/payment-methods": await shop.get("/v2/payment-methods", asStranger),
    "GET /v2/products": await shop.get("/v2/products", asStranger),
    "GET /v2/products/facets": await shop.get("/v2/products/facets", asStranger),
    "GET /v2/products/{id}": await shop.get(`/v2/products/${mug.id}`, asStranger),
    "GET /v2/products/{id}/related": await shop.get(`/v2/products/${pot.id}/related`, asStranger),
    "GET /v2/products/{id}/variants/{variant_id}": await shop.get(
      `/v2/products/${mug.id}/variants/${line_items[0]?.variant_id ?? ""}`,
      asStranger,
    ),
    "POST /v2/customers": await shop.post("/v2/customers", ada, asStranger),
    "POST /v2/carts": await shop.post("/v2/carts", { line_items }, asStranger),
    "POST /v2/carts/recover": await shop.post("/v2/carts/recover", { token }, asStranger),
    "GET /v2/carts/{id}": await shop.get(path, asStranger),
    "PUT /v2/carts/{id}": await shop.put(path, { notes: "-" }, asStranger),
    "POST /v2/carts/{id}/lines": await shop.post(`${path}/lines`, line_items[0], asStranger),
    "PUT /v2/carts/{id}/lines/{line_id}": await shop.put(line ?? "", { quantity: 2 }, asStranger),
    "DELETE /v2/carts/{id}/lines/{line_id}": await shop.delete(spareLine ?? "", asStranger),
    "POST /v2/carts/{id}/checkout": await shop.post(`${path}/checkout`, {}, asStranger),
    "POST /v2/carts/{id}/complete": await shop.post(`${path}/complete`, {}, asStranger),
    "POST /v2/orders": order,
    "GET /v2/storefront": await shop.get("/v2/storefront", asStranger),
    "GET /v2/orders/by-link": await shop.get("/v2/orders/by-link", {
      key,
      headers: { "Order-Token": order.string("/order_token") },
    }),
    "POST /v2/payments/initialize": payment,
    "GET /v2/payments/{ref}": await shop.get(`/v2/payments/${payment.id}`, asStranger),
    "POST /v2/payments/{ref}/cancel": await shop.post(
      `/v2/payments/${payment.id}/cancel`,
      {},
      asStranger,
    ),
    ...(await answersToCustomer(ada, { line_items, external_id: "b 1 2", metadata })),
  };
}

/** What a stranger is answered who signed in as a customer, whose order the merchant placed and sent. */
async function answersToCustomer(customer: { readonly email: string }, body: object) {
  const order = await shop.post("/v2/orders", { ...body, customer });
  await shop.put(`/v2/orders/${order.id}/fulfill`, { tracking: { number: "RR1" } });
  const { email } = customer;
  const code = await shop.post("/v2/customer-sessions/code", { email }, { key });
  const session = await shop.post("/v2/customer-sessions", { email, code: "000000" }, { key });
  const asMe = { key, headers: { "Customer-Token": session.string("/token") } };
  return {
    "POST /v2/customer-sessions/code": code,
    "POST /v2/customer-sessions": session,
    "GET /v2/me": await shop.get("/v2/me", asMe),
    "PUT /v2/me": await shop.put("/v2/me", {}, asMe),
    "GET /v2/me/orders": await shop.get("/v2/me/orders", asMe),
    "GET /v2/me/orders/{id}": await shop.get(`/v2/me/orders/${order.id}`, asMe),
    "GET /v2/me/export": await shop.get("/v2/me/export", asMe),
  };
}

describe("the audience of every field", () => {
  test("was decided", async () => {
    const each = lines.map(
      ({ direction, within, audience }) => `${direction}${within} ${audience}`,
    );
    const written = [...new Set(each)].toSorted();
    if (process.env["ACCEPT_AUDIENCE"] !== undefined) {
      await Bun.write(FILE, `${JSON.stringify(written, null, 1)}\n`);
      return;
    }

    expect(written).toEqual(await Bun.file(FILE).json());
  });

  test.each(publicRoutes.map((route) => [nameOf(route), route] as const))(
    "of %s can be kept",
    (_, route) => {
      expect(() => publicView(route.response)).not.toThrow();
    },
  );
});

describe("a publishable key sends", () => {
  const bodies = publicRoutes.filter(({ body }) => body !== null);

  test.each(bodies.map((route) => [nameOf(route), route] as const))(
    "no secret field with %s",
    async (name, route) => {
      const members = lines.filter(
        (line) => line.operation === name && line.direction === ">" && line.place.startsWith("/"),
      );
      const path = route.path.replaceAll(/\{(ref|id)\}/g, idIn(name));
      const text = JSON.stringify(bodyWith(members));

      const toStranger = await shop.send(route.method, path, { text, key });
      const toMerchant = await shop.send(route.method, path, { text });

      // No field that takes certain values takes 0.
      const secret = members.filter(({ audience }) => /^secret|"values"/.test(audience));
      expect(refusedIn(toStranger)).toEqual(secret.map(pointerTo).toSorted());
      expect(refusedIn(toMerchant)).toEqual([]);
    },
  );

  test.each([
    ["POST", "/v2/orders", { metadata: { margin: 4 } }, "/metadata/margin"],
    ["POST", "/v2/carts", { metadata: { public_a: 1, margin: 4 } }, "/metadata/margin"],
    ["POST", "/v2/customers", { marketing_consent: false }, "/marketing_consent"],
    ["POST", "/v2/payments/initialize", { metadata: { margin: 4 } }, "/metadata/margin"],
  ])("with %s %s no %j", async (...[method, path, body, place]) => {
    const refused = await shop.send(method, path, { text: JSON.stringify(body), key });

    expect(refused.status).toBe(422);
    expect(refused.faults).toContain(`#${place} not_allowed_for_public_key`);
  });
});

describe("a publishable key is told", () => {
  const operations = [...new Set(lines.map(({ operation }) => operation))];
  /** Its answer needs a code that a gateway sent to a phone, and is a payment as the others are. */
  const alike = ["POST /v2/payments/{ref}/otp"];
  const answering = operations.filter(
    (name) => name !== "refusals" && name !== "DELETE /v2/carts/{id}" && !alike.includes(name),
  );

  test("by every operation", () => {
    expect(Object.keys(told).toSorted()).toEqual(answering.toSorted());
    expect(Object.values(told).filter(({ status }) => status >= 300)).toEqual([]);
  });

  test.each(answering)("no secret field by %s", (name) => {
    const secret = lines.filter(
      (line) => line.operation === name && line.direction === "<" && line.audience === "secret",
    );
    const body = told[name]?.body;
    const { data = [body] } = objectOf(body);

    const leaks = secret.flatMap(({ place }) =>
      valuesAt(data, `/*${place}`).filter((value) => !tellsNothing(value)),
    );

    expect(leaks).toEqual([]);
    expect(told[name]?.text).not.toMatch(/margin|b 1|v i p|"(available|on_hand)":(2[1-9]|[3-9]\d)/);
  });
});

/** The path parameter of an operation that changes nothing when it is refused. */
function idIn(name: string): string {
  const source = name.includes("payments") ? "POST /v2/payments/initialize" : "POST /v2/carts";
  return told[source]?.id ?? "";
}

/** The pointers to what is not allowed. */
function refusedIn(answer: Answered): string[] {
  const code = " not_allowed_for_public_key";
  const refused = answer.faults.filter((fault) => fault.endsWith(code));
  return refused.map((fault) => fault.slice(1, -code.length)).toSorted();
}

/** The place in a body whose lists have one item. */
function pointerTo({ place }: AudienceLine): string {
  return place.replaceAll("*", "0");
}

/** A body with every member: objects and lists around zeros. */
function bodyWith(members: readonly AudienceLine[], within = ""): unknown {
  const inner = members.filter(({ place }) => place.startsWith(`${within}/`));
  if (inner.length === 0) return 0;
  const names = new Set(inner.map(({ place }) => place.slice(within.length + 1).split("/")[0]));
  if (names.has("*")) return [bodyWith(members, `${within}/*`)];
  return Object.fromEntries(
    [...names].map((name = "") => [name, bodyWith(members, `${within}/${name}`)]),
  );
}

/** The values at a place; a star is every item. */
function valuesAt(value: unknown, place: string): unknown[] {
  const [, name, ...rest] = place.split("/");
  if (name === undefined) return [value];
  const inner = rest.length === 0 ? "" : `/${rest.join("/")}`;
  if (name === "*") {
    return Array.isArray(value) ? value.flatMap((one) => valuesAt(one, inner)) : [];
  }
  const members = objectOf(value);
  return name in members ? valuesAt(members[name], inner) : [];
}

function tellsNothing(value: unknown): boolean {
  if (value === null || value === 0 || value === "none") return true;
  if (typeof value === "string") return /^[a-z]+_0{26}$/.test(value);
  return typeof value === "object" && Object.keys(value).length === 0;
}
