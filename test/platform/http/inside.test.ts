// Pages of the server ask the interface in the process: by the same rules as a request from outside.

import { describe, expect, test } from "bun:test";

import Type from "typebox";

import { publicFields } from "#platform/http/audience/audience.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { rateLimited, routeNotFound } from "#platform/http/contract/refusals.ts";
import { readRoute, writeRoute } from "#platform/http/contract/route.ts";
import { object, optional, whole } from "#platform/http/contract/words.ts";

import { serveRoutes } from "./serve-routes.ts";

const params = { id: pathId("order", routeNotFound) };
const ID = "ord_01hzy3v9q8f6m2k7c4d5n0r1ab";

const fill = writeRoute({
  method: "PUT",
  path: "/v2/crates/{id}",
  operationId: "fillCrate",
  tag: "Crates",
  summary: "Fill a crate",
  scopes: ["crates:write"],
  audit: false,
  params,
  body: object({ bottles: whole(1, 24) }),
  response: object({ id: Type.String(), bottles: Type.Integer() }),
  handler: async (tx, { params: { id }, body: { bottles } }) => {
    await tx.emit({ name: "crate.filled", subject: id, data: {} });
    return { id, bottles };
  },
});

const look = readRoute({
  method: "GET",
  path: "/v2/crates/{id}",
  operationId: "lookIntoCrate",
  tag: "Crates",
  summary: "Look into a crate",
  scopes: ["crates:read"],
  params,
  query: object(publicFields({ depth: optional(whole(1, 9)) })),
  response: object(publicFields({ depth: Type.Integer() })),
  handler: async (_, { query }) => ({ depth: query.depth ?? 0 }),
});

const isTestOnly = { ...look, path: "/v2/toys/{id}", operationId: "lookAtToy", isTestOnly: true };

describe("a page that asks the interface", () => {
  test("is answered by the handler, with path and query", async () => {
    await using server = await serveRoutes([fill, look]);

    const answer = await server.ask("owner", {
      route: "GET /v2/crates/{id}",
      params: { id: ID },
      query: { depth: "3" },
    });

    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { depth: 3 }]);
  });

  test("changes what it asks to change", async () => {
    await using server = await serveRoutes([fill, look]);

    const route = "PUT /v2/crates/{id}";
    const answer = await server.ask("owner", { route, params: { id: ID }, body: { bottles: 6 } });

    expect(JSON.parse(answer.text)).toEqual({ id: ID, bottles: 6 });
    expect(await server.announced()).toEqual(["crate.filled"]);
  });

  test("changes it once with the same key", async () => {
    await using server = await serveRoutes([fill]);
    const question = {
      route: "PUT /v2/crates/{id}",
      params: { id: ID },
      body: { bottles: 6 },
      idempotencyKey: "once",
    };

    const first = await server.ask("owner", question);
    const second = await server.ask("owner", question);

    expect(second.text).toBe(first.text);
    expect(second.headers["Idempotent-Replayed"]).toBe("true");
    expect(await server.announced()).toEqual(["crate.filled"]);
  });

  test.each([
    ["without the scope", { name: "guest" }, [403, "scope_missing"]],
    ["with a wrong body", { bottles: 60 }, [422, "validation_failed"]],
    ["about an id of another form", { id: "crate" }, [404, "not_found"]],
  ])("is refused %s, and nothing is changed", async (_, given, refusal) => {
    const { name, bottles, id } = { name: "owner", bottles: 6, id: ID, ...given };
    await using server = await serveRoutes([fill]);

    const route = "PUT /v2/crates/{id}";
    const answer = await server.ask(name, { route, params: { id }, body: { bottles } });

    expect([answer.status, JSON.parse(answer.text).code]).toEqual(refusal);
    expect(await server.announced()).toEqual([]);
  });

  test("finds no route of test mode in live mode", async () => {
    await using server = await serveRoutes([isTestOnly]);

    const answer = await server.ask("live", { route: "GET /v2/toys/{id}", params: { id: ID } });

    expect(answer.status).toBe(404);
  });

  test("is told only the id of its request where the server has a fault", async () => {
    const broken = {
      ...look,
      handler: async () => {
        throw new Error("the shelf fell");
      },
    };
    await using server = await serveRoutes([broken]);

    const answer = await server.ask("owner", { route: "GET /v2/crates/{id}", params: { id: ID } });

    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain("shelf");
    const { request_id: requestId } = JSON.parse(answer.text);
    expect(server.faults.map((fault) => fault.requestId)).toEqual([requestId]);
  });
});

describe("a page of strangers", () => {
  const twice = { name: "crates", unit: "narrow", limit: 2, perMs: 60_000 } as const;
  const counted = {
    ...look,
    budgets: [{ ...twice, abuse: "requests", refusal: rateLimited }],
  } as const;
  const question = { route: "GET /v2/crates/{id}", params: { id: ID } };
  const page = (method = "GET") => new Request("http://127.0.0.1/page", { method });

  test("is one read, however often it asks", async () => {
    await using server = await serveRoutes([look], { visitorLimits: { readsPerMinute: 1 } });
    const request = page();

    const asked = [
      await server.ask("visitor", { ...question, request }),
      await server.ask("visitor", { ...question, request }),
    ];

    expect(asked.map(({ status }) => status)).toEqual([200, 200]);
  });

  test("is refused above the reads of its address", async () => {
    await using server = await serveRoutes([look], { visitorLimits: { readsPerMinute: 1 } });
    await server.ask("visitor", { ...question, request: page() });
    const request = page();

    const asked = [
      await server.ask("visitor", { ...question, request }),
      await server.ask("visitor", { ...question, request }),
    ];

    expect(asked.map(({ status }) => status)).toEqual([429, 429]);
    expect(Number(asked[0]?.headers["Retry-After"])).toBeGreaterThan(0);
  });

  test("is a write if it takes a form, also where it only reads", async () => {
    const visitorLimits = { readsPerMinute: 1, writesPerMinute: 1 };
    await using server = await serveRoutes([look], { visitorLimits });
    await server.ask("visitor", { ...question, request: page("POST") });

    const second = await server.ask("visitor", { ...question, request: page("POST") });
    const read = await server.ask("visitor", { ...question, request: page() });

    expect([second.status, read.status]).toEqual([429, 200]);
  });

  test("takes the budgets of each route that it asks", async () => {
    await using server = await serveRoutes([counted], { visitorLimits: {} });
    const request = page();
    const ask = () => server.ask("visitor", { ...question, request });

    const asked = [await ask(), await ask(), await ask()];

    expect(asked.map(({ status }) => status)).toEqual([200, 200, 429]);
  });

  test("has limits that no page of a person has", async () => {
    await using server = await serveRoutes([counted], { visitorLimits: { readsPerMinute: 1 } });
    const ask = () => server.ask("owner", question);

    const asked = [await ask(), await ask(), await ask()];

    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
