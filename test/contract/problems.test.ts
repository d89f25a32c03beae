// Refusals as callers see them: one form, stable codes, no echo of the request, nothing internal.

import { describe, expect, test } from "bun:test";

import Type from "typebox";

import { type Route, workflowRoute, writeRoute } from "#platform/http/contract/route.ts";
import { object } from "#platform/http/contract/words.ts";

import { serveRoutes } from "../platform/http/serve-routes.ts";
import { adaMensah } from "../support/cast.ts";
import { openTestShop, sharedShop } from "../support/shop.ts";

const shop = sharedShop();

const PROBLEM = "application/problem+json";

test("a refusal has the members of RFC 9457, a code and the id of its request", async () => {
  const refused = await shop.get("/v2/nothing", { headers: { "X-Request-Id": "my-request_7" } });

  expect(refused.body).toEqual({
    type: `${shop.url}/docs/errors#not_found`,
    title: "There is no such path.",
    status: 404,
    detail: "There is no such path.",
    code: "not_found",
    request_id: "my-request_7",
    retryable: false,
    errors: [],
  });
});

test("the type of a refusal links to the explanation of its code", async () => {
  const refused = await shop.get("/v2/customers?limit=0");

  const page = await (await fetch(refused.string("/type"))).text();

  expect(page).toContain('id="query_invalid"');
});

describe("a refusal is sent as", () => {
  test.each([
    ["plain JSON without an Accept header", {}, "application/json"],
    ["plain JSON where anything will do", { Accept: "*/*" }, "application/json"],
    ["plain JSON where only HTML would do", { Accept: "text/html" }, "application/json"],
    ["a problem if Accept names it", { Accept: PROBLEM }, PROBLEM],
    ["a problem among others", { Accept: `application/json, ${PROBLEM};q=0.9` }, PROBLEM],
    ["a problem, however it is written", { Accept: "Application/Problem+JSON" }, PROBLEM],
  ])("%s", async (_, headers, type) => {
    const refused = await shop.get("/v2/nothing", { headers });

    expect([refused.status, refused.headers.get("content-type")]).toEqual([404, type]);
  });

  test("a problem when it is replayed too", async () => {
    const { email } = await adaMensah(shop);
    const send = (headers: Record<string, string>) =>
      shop.post("/v2/customers", { email }, { headers: { "Idempotency-Key": "once", ...headers } });
    await send({});

    const replayed = await send({ Accept: PROBLEM });

    expect(replayed.headers.get("idempotent-replayed")).toBe("true");
    expect(replayed.headers.get("content-type")).toBe(PROBLEM);
  });

  test("plain JSON when it is no refusal, whatever Accept says", async () => {
    const answer = await shop.get("/v2/store", { headers: { Accept: PROBLEM } });

    expect(answer.headers.get("content-type")).toBe("application/json");
  });
});

test("every fault of a body is reported with its place", async () => {
  const refused = await shop.post("/v2/customers", {
    emial: "ada@example.com",
    phone: "020",
    tags: ["a", 7],
    addresses: [{ country: "Ghana" }],
    metadata: { note: "x".repeat(501) },
  });

  expect(refused).toMatchObject({ status: 422, code: "validation_failed" });
  expect(refused.faults.toSorted()).toEqual([
    "#/addresses/0/country invalid_format",
    "#/emial unknown_field",
    "#/metadata/note too_long",
    "#/phone invalid_format",
    "#/tags/1 wrong_type",
  ]);
});

test.each([
  ["/v2/inventory/var_01h455vb4pex5vsknk084sn02q", { quantity: 5 }, "on_hand"],
  ["/v2/inventory/var_01h455vb4pex5vsknk084sn02q", { stock: 5 }, "on_hand"],
  ["/v2/products/prod_01h455vb4pex5vsknk084sn02q/variants/x", { price: 5 }, "prices"],
])("PUT %s with %j asks for the field that was meant", async (path, body, meant) => {
  const refused = await shop.put(path, body);

  expect(refused.at("/errors/0/detail")).toBe(`There is no such field; is it ${meant}?`);
});

test.each([
  [{ payment_method: "card" }, "method"],
  [{ callback_url: "https://shop.example" }, "return_url"],
])("initializing a payment with %j asks for the field that was meant", async (body, meant) => {
  const refused = await shop.post("/v2/payments/initialize", body);

  expect(refused.at("/errors/0/detail")).toBe(`There is no such field; is it ${meant}?`);
});

test("a body with tens of thousands of unknown fields is refused with a hundred of them", async () => {
  await using own = await openTestShop();
  const fields = Array.from({ length: 50_000 }, (_, index) => [`emial${index}`, 1]);

  const refused = await own.post("/v2/customers", Object.fromEntries(fields));

  expect(refused.faults).toHaveLength(100);
  expect((await own.get("/v2/customers")).list("/data")).toEqual([]);
});

test("a field with a name of half a megabyte is refused with a short text", async () => {
  const refused = await shop.post("/v2/customers", { ["x".repeat(500_000)]: 1 });

  expect(refused.code).toBe("validation_failed");
  expect(refused.text.length).toBeLessThan(2_000);
});

describe("a refusal does not repeat what was sent", () => {
  const canary = "canary-7f3a";

  test.each([
    [
      "in a body that does not fit",
      "POST",
      "/v2/customers",
      `{"email":"${canary}","phone":"${canary}","tags":"${canary}"}`,
      {},
    ],
    ["in a body that is no JSON", "POST", "/v2/customers", `{"email":"${canary}"`, {}],
    ["in a query", "GET", `/v2/customers?limit=${canary}&cursor=${canary}`, undefined, {}],
    ["in a cursor", "GET", `/v2/customers?cursor=${canary}`, undefined, {}],
    ["in a path", "GET", `/v2/${canary}`, undefined, {}],
    ["in an id", "GET", `/v2/customers/${canary}`, undefined, {}],
    ["in a key", "GET", "/v2/customers", undefined, { Authorization: `Bearer ${canary}` }],
    ["in a condition", "PUT", "/v2/store", "{}", { "If-Match": canary }],
    ["in an idempotency key", "PUT", "/v2/store", "{}", { "Idempotency-Key": `${canary} b` }],
    ["in a media type", "PUT", "/v2/store", "{}", { "Content-Type": canary }],
    ["in a request id", "GET", "/v2/nothing", undefined, { "X-Request-Id": `${canary}!` }],
  ])("%s", async (...[, method, path, text, headers]) => {
    const refused = await shop.send(method, path, {
      headers,
      ...("Authorization" in headers ? { key: null } : {}),
      ...(text === undefined ? {} : { text }),
    });

    expect(refused.status).toBeWithin(400, 500);
    expect(refused.text + JSON.stringify([...refused.headers])).not.toContain(canary);
  });
});

describe("a bug", () => {
  const broken = (path: string): Route =>
    workflowRoute({
      method: "POST",
      path,
      operationId: "tryCrates",
      tag: "Crates",
      summary: "Break",
      scopes: ["crates:write"],
      response: object({ id: Type.String() }),
      handler: async () => {
        throw new Error("SELECT secret FROM vault at /srv/duka");
      },
    });

  test("shows the caller only its request id, and logs everything", async () => {
    await using server = await serveRoutes([broken("/v2/crates")]);

    const answer = await server.send("POST", "/v2/crates", {
      headers: { "X-Request-Id": "my-request" },
    });

    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({
      type: `${server.url}/docs/errors#internal_error`,
      title: "The server failed to handle the request.",
      status: 500,
      detail: "The server failed to handle the request.",
      code: "internal_error",
      request_id: "my-request",
      retryable: true,
      errors: [],
    });
    expect(server.faults).toEqual([{ error: expect.any(Error), requestId: "my-request" }]);
  });

  test("leaves nothing behind, and the next attempt runs again", async () => {
    let isMended = false;
    const second = writeRoute({
      method: "POST",
      path: "/v2/crates",
      operationId: "tryCrates",
      tag: "Crates",
      summary: "Break until it is mended",
      scopes: ["crates:write"],
      response: object({ crates: Type.Integer() }),
      handler: async (tx) => {
        await tx.emit({ name: "crate.made", subject: "crate", data: {} });
        if (!isMended) throw new Error("A bug.");
        return { crates: 1 };
      },
    });
    await using server = await serveRoutes([second]);
    const headers = { "Idempotency-Key": "once" };

    const first = await server.send("POST", "/v2/crates", { headers });
    isMended = true;
    const again = await server.send("POST", "/v2/crates", { headers });

    expect([first.status, again.status]).toEqual([500, 200]);
    expect(await again.json()).toEqual({ crates: 1 });
    expect(again.headers.get("idempotent-replayed")).toBeNull();
    expect(await server.announced()).toEqual(["crate.made"]);
  });
});

test("a card number in the notes of an order is refused at its place, before anything is kept", async () => {
  const card = "4242 4242 4242 4242";

  const refused = await shop.post("/v2/carts", { notes: `card ${card} 12/27`, metadata: { card } });

  expect([refused.status, refused.code]).toEqual([422, "validation_failed"]);
  expect(refused.faults).toEqual([
    "#/notes looks_like_a_card",
    "#/metadata/card looks_like_a_card",
  ]);
  expect(refused.text).not.toContain("4242");
});
