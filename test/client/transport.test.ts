// How the client sends: keys, retries and errors, against scripted answers.

import { expect, spyOn, test } from "bun:test";

import { DukaError } from "#client/runtime/duka-error.ts";
import { pathOf } from "#client/runtime/transport.ts";

import { refused, scripted, type Sent } from "./scripted-fetch.ts";

/** The error of a call that is refused. */
async function errorOf(call: Promise<unknown>): Promise<DukaError> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof DukaError) return error;
  throw new Error("The call was not refused.", { cause: error });
}

function keysOf(sent: readonly Sent[]): (string | null)[] {
  return sent.map(({ headers }) => headers.get("idempotency-key"));
}

test("a read sends the key and its query, and no idempotency key", async () => {
  const { transport, sent } = scripted([Response.json({ id: "prd_1" })]);

  const answer = await transport.get("/v2/products", { tag: "new & old", sku: undefined, q: "" });

  expect(answer).toEqual({ id: "prd_1" });
  expect(sent[0]?.url).toBe("http://duka.example/v2/products?tag=new+%26+old&q=");
  expect(sent[0]?.headers.get("authorization")).toBe("Bearer test_sk_1");
  expect(sent[0]?.headers.get("duka-client")).toBe("js/1.2.3");
  expect(keysOf(sent)).toEqual([null]);
});

test("values of one parameter are separated by commas", async () => {
  const { transport, sent } = scripted([Response.json({})]);

  await transport.get("/v2/events", { event: ["order.*", "payment.failed"] });

  expect(sent[0]?.url).toEndWith("?event=order.*%2Cpayment.failed");
});

test("members of a parameter are parameters of their own", async () => {
  const { transport, sent } = scripted([Response.json({})]);

  await transport.get("/v2/products", { option: { Size: ["M", "L"], Näme: ["a&b"] } });

  const { searchParams } = new URL(sent[0]?.url ?? "");
  expect([...searchParams]).toEqual([
    ["option[Size]", "M,L"],
    ["option[Näme]", "a&b"],
  ]);
});

test("a write sends JSON, an idempotency key of its own and the expected version", async () => {
  const { transport, sent } = scripted([Response.json({}), Response.json({})]);

  await transport.put("/v2/orders/ord_1", { note: "é" }, { ifMatch: 3 });
  await transport.put("/v2/orders/ord_1", { note: "é" });

  expect(sent[0]).toMatchObject({ method: "PUT", body: '{"note":"é"}' });
  expect(sent[0]?.headers.get("content-type")).toBe("application/json");
  expect(sent.map(({ headers }) => headers.get("if-match"))).toEqual(['"3"', null]);
  const [first, second] = keysOf(sent);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(second).not.toBe(first ?? null);
});

test("a file is sent as its bytes, with its type where it has one", async () => {
  const { transport, sent } = scripted([Response.json({}), Response.json({})]);
  const [file, bytes] = [new Blob(["GIF"], { type: "image/png" }), new Uint8Array(3)];

  await transport.post("/v2/media", file);
  await transport.post("/v2/media", bytes);

  expect(sent.map(({ body }) => body)).toEqual([file, bytes]);
  expect(sent.map(({ headers }) => headers.get("content-type"))).toEqual([
    "image/png",
    "application/octet-stream",
  ]);
});

test("an answer without a body is undefined", async () => {
  const { transport } = scripted([new Response(null, { status: 204 })]);

  expect(await transport.delete<void>("/v2/carts/cart_1")).toBeUndefined();
});

test.each([
  ["a broken connection", "broken"],
  ["a full rate limit", refused(429, "rate_limited")],
  ["a full disk", refused(503, "storage_unavailable")],
  ["the first request still running", refused(409, "idempotency_in_progress")],
  ["a proxy without a server", new Response("<h1>Bad Gateway</h1>", { status: 502 })],
] as const)("%s is retried with the same key", async (_, failure) => {
  const { transport, sent } = scripted([failure, Response.json({ id: "ord_1" })]);

  const answer = await transport.post<{ id: string }>("/v2/orders", {});

  expect(answer.id).toBe("ord_1");
  expect(keysOf(sent)).toEqual([keysOf(sent)[0] ?? "", keysOf(sent)[0] ?? ""]);
});

test("a key of the caller's own is used for every attempt", async () => {
  const { transport, sent } = scripted(["broken", Response.json({})]);

  await transport.post("/v2/orders", {}, { idempotencyKey: "cart-1" });

  expect(keysOf(sent)).toEqual(["cart-1", "cart-1"]);
});

test("the pause is at least as long as the server asks", async () => {
  const { transport } = scripted([
    refused(429, "rate_limited", { "Retry-After": "1" }),
    Response.json({}),
  ]);
  const begun = performance.now();

  await transport.get("/v2/products");

  expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
});

test("a pause of more than a minute is not waited for", async () => {
  const { transport, sent } = scripted([refused(429, "rate_limited", { "Retry-After": "61" })]);

  const error = await errorOf(transport.get("/v2/products"));

  expect(error).toMatchObject({ code: "rate_limited", retryAfter: 61, retryable: true });
  expect(sent).toHaveLength(1);
});

test("retries end", async () => {
  const { transport, sent } = scripted([], { maxRetries: 2 });

  const error = await errorOf(transport.get("/v2/products"));

  expect(error).toMatchObject({ code: "connection_failed", status: 0, requestId: null });
  expect(error.cause).toBeInstanceOf(TypeError);
  expect(sent).toHaveLength(3);
});

test("a refusal that stays is not retried, and says everything", async () => {
  const { transport, sent } = scripted([refused(422, "validation_failed")]);

  const error = await errorOf(transport.post("/v2/customers", {}));

  expect(sent).toHaveLength(1);
  expect(error).toMatchObject({
    name: "DukaError",
    code: "validation_failed",
    message: "It is refused.\n#/email: It is no address.",
    status: 422,
    requestId: "req_1",
    retryable: false,
    errors: [{ pointer: "#/email", code: "invalid_format" }],
  });
});

test.each([
  ["a page", new Response("<h1>Hello</h1>")],
  ["nothing", new Response("")],
  ["the error of something else", Response.json({ code: "nope" }, { status: 404 })],
])("%s in place of an answer is an error", async (_, answer) => {
  const { transport, sent } = scripted([answer]);

  const error = await errorOf(transport.get("/v2/products"));

  expect(error).toMatchObject({ code: "answer_invalid", status: answer.status });
  expect(sent).toHaveLength(1);
});

test("a signal ends a call, its pause and its retries", async () => {
  const { transport, sent } = scripted([refused(503, "storage_full", { "Retry-After": "30" })]);
  const reason = new Error("The page is gone.");
  const controller = new AbortController();

  const call = transport.get("/v2/products", {}, { signal: controller.signal });
  setTimeout(() => controller.abort(reason), 20);

  expect(await call.catch((error: unknown) => error)).toBe(reason);
  expect(sent).toHaveLength(1);
});

test("a body that is no JSON is the caller's error", async () => {
  const { transport, sent } = scripted([]);
  const body: { self?: object } = {};
  body.self = body;

  expect(await transport.post("/v2/orders", body).catch((error: unknown) => error)).toBeInstanceOf(
    TypeError,
  );
  expect(sent).toHaveLength(0);
});

test("an id stays one segment of its path", () => {
  expect(pathOf`/v2/orders/${"a/../b?c"}/cancel`).toBe("/v2/orders/a%2F..%2Fb%3Fc/cancel");
});

test.each(["", ".", ".."])("%p is no id", (id) => {
  expect(() => pathOf`/v2/orders/${id}`).toThrow(TypeError);
});

test("a list is read page by page, as far as it is needed", async () => {
  const page = (ids: string[], next: string | null) =>
    Response.json({ data: ids.map((id) => ({ id })), has_more: next !== null, next_cursor: next });
  const { transport, sent } = scripted([page(["a", "b"], "after b"), page(["c"], null)]);
  const list = transport.list<{ id: string }>("/v2/products", { tag: "new" });

  const ids: string[] = [];
  for await (const { id } of list) ids.push(`${id} of page ${sent.length}`);

  expect(ids).toEqual(["a of page 1", "b of page 1", "c of page 2"]);
  expect(sent[1]?.url).toEndWith("?tag=new&cursor=after+b");
});

test("one page is read alone", async () => {
  const { transport, sent } = scripted([
    Response.json({ data: [1], has_more: true, next_cursor: "after 1" }),
  ]);

  const page = await transport.list<number>("/v2/products", { cursor: "after 0" }).page();

  expect(page).toEqual({ data: [1], has_more: true, next_cursor: "after 1" });
  expect(sent.map(({ url }) => url)).toEqual(["http://duka.example/v2/products?cursor=after+0"]);
});

test.each([
  ["of the same version", "1.2.3", 0],
  ["that has only been mended and extended since", "1.9.0", 0],
  ["of the next major version", "2.0.0", 1],
  ["that is older", "0.9.0", 0],
  ["that does not say its version", "", 0],
])("a server %s, %j, is reported %d times on the console", async (_, version, times) => {
  using warn = spyOn(console, "warn").mockImplementation(() => {});
  const answer = () => Response.json({}, { headers: { "X-Duka-Version": version } });
  const { transport } = scripted([answer(), answer()]);

  await transport.get("/v2/store");
  await transport.get("/v2/store");

  expect(warn.mock.calls).toHaveLength(times);
});

test("the report of a newer server says where the new client is", async () => {
  using warn = spyOn(console, "warn").mockImplementation(() => {});
  const { transport } = scripted([refused(404, "not_found", { "X-Duka-Version": "2.0.0" })]);

  await errorOf(transport.get("/v2/store"));

  expect(warn.mock.calls).toEqual([
    ["The server is Duka 2.0.0, this client is of 1.2.3. Update it: http://duka.example/client.ts"],
  ]);
});

test("a call names its customer, its order and the visitor for whom a server calls", async () => {
  const { transport, sent } = scripted([Response.json({}), Response.json({})], {
    customerToken: async () => "of the client",
  });
  const headers = { "X-Forwarded-For": "203.0.113.7" };
  const init = { cache: "no-store", next: { revalidate: 60 } } as const;

  await transport.get(
    "/v2/me",
    {},
    { customerToken: "of the call", orderToken: "ord", headers, init },
  );
  await transport.get("/v2/me");

  const told = (name: string) => sent.map((one) => one.headers.get(name));
  expect(told("customer-token")).toEqual(["of the call", "of the client"]);
  expect(told("order-token")).toEqual(["ord", null]);
  expect(told("x-forwarded-for")).toEqual(["203.0.113.7", null]);
  expect(sent[0]?.init).toMatchObject({ method: "GET", ...init });
});

test.each(["Authorization", "customer-token", "Idempotency-Key", "Content-Type", "Duka-Client"])(
  "a call cannot replace the client's own header %s",
  async (name) => {
    const { transport, sent } = scripted([Response.json({})]);

    const call = transport.post("/v2/orders", {}, { headers: { [name]: "mine" } });

    expect(await call.catch((error: unknown) => error)).toBeInstanceOf(TypeError);
    expect(sent).toEqual([]);
  },
);
