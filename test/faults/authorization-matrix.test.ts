// Every operation of the document against every missing right. A refusal reveals nothing: neither which
// resources exist, nor what a valid request looks like, nor to whom the key belonged.

import { afterAll, beforeAll, describe, expect, setSystemTime, test } from "bun:test";

import { stock } from "../contract/operations.ts";
import { wholeBody } from "../contract/whole-bodies.ts";
import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";
import { described, type Operation } from "./fuzz-document.ts";

type Ids = Readonly<Record<string, string>>;

/** The operations of a storefront key, which may be in a public page; test/contract has their fields. */
const storefront = [
  "DELETE /v2/carts/{id}",
  "DELETE /v2/carts/{id}/lines/{line_id}",
  "DELETE /v2/customer-sessions/current",
  "GET /v2/carts/{id}",
  "GET /v2/collections",
  "GET /v2/collections/{id}",
  "GET /v2/collections/{id}/facets",
  "GET /v2/collections/{id}/products",
  "GET /v2/me",
  "GET /v2/me/export",
  "GET /v2/me/orders",
  "GET /v2/me/orders/{id}",
  "GET /v2/orders/by-link",
  "GET /v2/payment-methods",
  "GET /v2/payments/{ref}",
  "GET /v2/products",
  "GET /v2/products/facets",
  "GET /v2/products/{id}",
  "GET /v2/products/{id}/related",
  "GET /v2/products/{id}/variants/{variant_id}",
  "GET /v2/storefront",
  "POST /v2/carts",
  "POST /v2/carts/recover",
  "POST /v2/carts/{id}/checkout",
  "POST /v2/carts/{id}/complete",
  "POST /v2/carts/{id}/lines",
  "POST /v2/customer-sessions",
  "POST /v2/customer-sessions/code",
  "POST /v2/customers",
  "POST /v2/orders",
  "POST /v2/payments/initialize",
  "POST /v2/payments/{ref}/cancel",
  "POST /v2/payments/{ref}/otp",
  "PUT /v2/carts/{id}",
  "PUT /v2/carts/{id}/lines/{line_id}",
  "PUT /v2/me",
];

let shop: TestShop;
/** Resources of the test shop, and of the live one. */
let ids: Ids;
let liveIds: Ids;
let liveKey: string;
let addresses = 0;

beforeAll(async () => {
  shop = await openTestShop({ settings: { DUKA_TRUSTED_PROXIES: "127.0.0.1" } });
  liveKey = await shop.createKey({ mode: "live" });
  ids = await stock(shop);
  liveIds = await liveStock();
  await shop.duka.couriers.test.settle();
});

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

async function liveStock(): Promise<Ids> {
  const options = { key: liveKey };
  const goods = { name: "Mug", sku: "MUG", price: 10, currency: "USD", stock: 5 };
  const product = await shop.post("/v2/products", goods, options);
  const variantId = product.string("/variants/0/id");
  const lines = { line_items: [{ variant_id: variantId, quantity: 1 }] };
  const customer = await shop.post("/v2/customers", { email: "ada@example.com" }, options);
  const order = await shop.post("/v2/orders", lines, options);
  const cart = await shop.post("/v2/carts", {}, options);
  const transfer = { amount: 5, currency: "USD", method: "bank_transfer" };
  const payment = await shop.post("/v2/payments/initialize", transfer, options);
  const key = await shop.post("/v2/keys", { name: "Till" }, options);
  const hook = { url: "https://shop.example/hooks", events: ["webhook.disabled"] };
  const webhook = await shop.post("/v2/webhooks", hook, options);
  const event = (await shop.get("/v2/events", options)).string("/data/0/id");
  return {
    prod: product.id,
    var: variantId,
    cus: customer.id,
    ord: order.id,
    li: order.string("/line_items/0/id"),
    cart: cart.id,
    pay: payment.id,
    key: key.id,
    whk: webhook.id,
    evt: event,
  };
}

const UNKNOWN = "01h455vb4pex5vsknk084sn02q";

/** The path with these ids, or with unknown ones. */
function pathOf({ path, parameters }: Operation, known: Ids): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const pattern = String(parameters.find((one) => one.name === name)?.schema["pattern"]);
    const prefix = /^\^([a-z]+)_/.exec(pattern)?.[1] ?? "pay";
    return known[prefix] ?? `${prefix}_${UNKNOWN}`;
  });
}

interface Attempt {
  readonly key?: string | null;
  readonly known?: Ids;
  readonly search?: string;
  readonly text?: string;
  readonly headers?: Record<string, string>;
}

/** Calls an operation from an address of its own, so that wrong keys are not throttled. */
function attempt(operation: Operation, given: Attempt): Promise<Answered> {
  addresses += 1;
  const { key, known = {}, search = "", text = goodText(operation, known) } = given;
  const forwarded = `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
  return shop.send(operation.method, `${pathOf(operation, known)}${search}`, {
    ...(key === undefined ? {} : { key }),
    ...(operation.method === "GET" ? {} : { text }),
    headers: { "X-Request-Id": "same", "X-Forwarded-For": forwarded, ...given.headers },
  });
}

/** A valid body, where one is known. */
function goodText({ name }: Operation, known: Ids): string {
  return JSON.stringify(wholeBody(name, { ids: known, n: addresses }) ?? {});
}

/** Created yesterday, expired a second later. */
async function expiredKey(): Promise<string> {
  const yesterday = Date.now() - 86_400_000;
  setSystemTime(new Date(yesterday));
  const key = await shop.createKey({ expiresAt: yesterday + 1_000 });
  setSystemTime();
  return key;
}

/** The bytes of an answer, except the time of day and what concerns the connection. */
function whole({ status, headers, text }: Answered): string {
  const compared = [...headers].filter(([name]) => !["date", "connection"].includes(name));
  return JSON.stringify([status, compared, text]);
}

describe("without a valid key every answer is the same, header for header and byte for byte", () => {
  test("for any key, any resource and any body", async () => {
    const revoked = await shop.post("/v2/keys", { name: "Revoked" });
    await shop.delete(`/v2/keys/${revoked.id}`);
    const expired = await expiredKey();
    const attempts: readonly Attempt[] = [
      { key: null },
      { key: null, known: ids },
      { key: null, known: ids, text: "{" },
      { key: null, search: `?api_key=${shop.key}` },
      { key: null, headers: { "X-Api-Key": shop.key } },
      { key: revoked.string("/key"), known: ids },
      { key: expired, known: ids },
      { key: shop.key.replace("test_", "live_"), known: liveIds },
      { key: liveKey.replace("live_", "test_"), known: ids },
      ...["", "Bearer", shop.key, `Basic ${btoa(`x:${shop.key}`)}`, `Token ${shop.key}`].map(
        (Authorization) => ({ key: null, known: ids, headers: { Authorization } }),
      ),
      ...[`Bearer  ${shop.key}`, `Bearer ${shop.key},`, `Bearer ${shop.key} x`].map(
        (Authorization) => ({ key: null, known: ids, headers: { Authorization } }),
      ),
    ];
    await shop.announced();

    const answers = await Promise.all(
      described.flatMap((operation) => attempts.map((given) => attempt(operation, given))),
    );

    expect(answers).toHaveLength(described.length * attempts.length);
    expect([...new Set(answers.map(whole))]).toHaveLength(1);
    expect([answers[0]?.status, answers[0]?.code]).toEqual([401, "api_key_invalid"]);
    expect(await shop.announced()).toEqual([]);
  });
});

describe("without the scope an operation always answers the same", () => {
  test.each(described.map((operation) => [operation.name, operation] as const))(
    "%s",
    async (_, operation) => {
      const other = operation.scopes.includes("analytics:read") ? "sandbox:use" : "analytics:read";
      const key = await shop.createKey({ scopes: [other] });
      const attempts: readonly Attempt[] = [
        { key, known: ids },
        { key },
        { key, known: liveIds },
        { key, known: ids, text: "{" },
        { key, known: ids, text: "x".repeat(1_048_577) },
        { key, known: ids, headers: { "Content-Type": "text/plain" } },
        { key, known: ids, headers: { "Idempotency-Key": "x".repeat(300) } },
        { key, known: ids, headers: { "If-Match": "nonsense" } },
        { key, known: ids, search: "?nonsense=1" },
      ];
      await shop.announced();

      const answers = await Promise.all(attempts.map((given) => attempt(operation, given)));

      expect([...new Set(answers.map(whole))]).toHaveLength(1);
      expect([answers[0]?.status, answers[0]?.code]).toEqual([403, "scope_missing"]);
      expect(await shop.announced()).toEqual([]);
    },
  );
});

describe("a storefront key", () => {
  test("opens what a customer does and nothing else", async () => {
    const key = await shop.createKey({ scopes: ["storefront"] });

    const answers = await Promise.all(described.map((operation) => attempt(operation, { key })));

    const opened = described.filter((_, at) => answers[at]?.at("/code") !== "scope_missing");
    expect(opened.map(({ name }) => name).toSorted()).toEqual(storefront);
    expect(opened).toEqual(described.filter(({ isPublic }) => isPublic));
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });

  test.each(["draft", "archived"])("finds no trace of a product that is %s", async (status) => {
    const key = await shop.createKey({ scopes: ["storefront"] });
    const hidden = await shop.post("/v2/products", {
      name: "Secret",
      sku: status,
      price: 1,
      status,
    });
    const variantId = hidden.string("/variants/0/id");
    const headers = { "X-Request-Id": "same" };

    const found = await Promise.all([
      shop.get(`/v2/products/${hidden.id}`, { key, headers }),
      shop.get(`/v2/products/${hidden.id}/variants/${variantId}`, { key, headers }),
      shop.get(`/v2/products?q=Secret`, { key, headers }),
      shop.get(`/v2/products?sku=${status}`, { key, headers }),
    ]);
    const unknown = await Promise.all([
      shop.get(`/v2/products/prod_${UNKNOWN}`, { key, headers }),
      shop.get(`/v2/products/prod_${UNKNOWN}/variants/var_${UNKNOWN}`, { key, headers }),
      shop.get(`/v2/products?q=Nothing`, { key, headers }),
      shop.get(`/v2/products?sku=nothing`, { key, headers }),
    ]);

    expect(found.map(({ text }) => text)).toEqual(unknown.map(({ text }) => text));
    expect(found.map((answer) => answer.status)).toEqual([404, 404, 200, 200]);
  });
});

describe("resources of the other mode are as unknown as missing ones", () => {
  /** Without a customer who is signed in, nothing below /v2/me is looked for. */
  const withIds = described.filter(({ path }) => path.includes("{") && !path.startsWith("/v2/me/"));

  test.each([
    ["a test key and live ids", () => [shop.key, liveIds] as const],
    ["a live key and test ids", () => [liveKey, ids] as const],
  ])("%s", async (_, given) => {
    const [key, known] = given();
    const before = (await shop.events()).length;

    const ofOtherMode = await Promise.all(
      withIds.map((one) => attempt(one, { key, known, text: "{}" })),
    );
    const ofUnknown = await Promise.all(withIds.map((one) => attempt(one, { key, text: "{}" })));

    expect(ofOtherMode.map(whole)).toEqual(ofUnknown.map(whole));
    expect(ofOtherMode.filter(({ status }) => ![404, 422].includes(status))).toEqual([]);
    expect((await shop.events()).length).toBe(before);
  });

  const lines = (variant_id: string) => ({ line_items: [{ variant_id, quantity: 1 }] });
  const rows = (variant_id: string) => ({ rows: [{ variant_id, on_hand: 1 }] });

  test.each([
    ["POST /v2/orders", lines],
    ["POST /v2/carts", lines],
    ["POST /v2/inventory/batch", rows],
  ] as const)("nor is it known by %s", async (name, bodyWith) => {
    const [method = "", path = ""] = name.split(" ");
    const headers = { "X-Request-Id": "same" };
    const [ofOtherMode, ofUnknown] = await Promise.all(
      [liveIds["var"] ?? "", `var_${UNKNOWN}`].map((variantId) =>
        shop.send(method, path, { headers, text: JSON.stringify(bodyWith(variantId)) }),
      ),
    );

    const compared = [ofOtherMode, ofUnknown].map((answer) =>
      answer?.text.replace(/var_\w{26}/, "it"),
    );
    expect([ofOtherMode?.status, compared[0]]).toEqual([ofUnknown?.status, compared[1]]);
    expect(ofOtherMode?.text).toMatch(/not_found|unknown_variant/);
  });

  test("an idempotency key of the other mode returns none of its answers", async () => {
    const headers = { "Idempotency-Key": "shared", "X-Request-Id": "same" };
    const body = { name: "Till", scopes: ["products:read"] };
    const secret = await shop.post("/v2/keys", body, { headers });

    const other = await shop.post("/v2/keys", body, { headers, key: liveKey });

    expect([secret.status, other.status]).toEqual([201, 201]);
    expect(other.string("/key")).toStartWith("live_sk_");
  });
});
