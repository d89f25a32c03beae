// Pages of a list: a walk along the links meets every row once, and a cursor serves its list only.

import { describe, expect, test } from "bun:test";

import Type from "typebox";

import { toPage } from "#kernel/page.ts";
import { encodeCursor } from "#platform/http/calls/cursor.ts";
import { listRoute, type Route } from "#platform/http/contract/route.ts";
import { choice, object, optional } from "#platform/http/contract/words.ts";

import { serveRoutes } from "./serve-routes.ts";

const names = ["e", "d", "c", "b", "a"];

/** Five rows, newest first, that can be filtered in vain. */
function rows(path: string): Route {
  return listRoute({
    method: "GET",
    path,
    operationId: "tryCrates",
    tag: "Crates",
    summary: "List crates",
    scopes: ["crates:read"],
    query: object({
      kind: optional(Type.Array(choice(["box", "bag"]))),
      "packed_at[gte]": optional(Type.String()),
    }),
    response: object({ id: Type.String() }),
    handler: async (_, { page }) => {
      const start = page.after === null ? 0 : names.indexOf(page.after) + 1;
      const found = names.slice(start, start + page.limit + 1).map((id) => ({ id }));
      return toPage(found, page.limit);
    },
  });
}

const routes = [rows("/v2/crates"), rows("/v2/barrels")];

async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json();
  return Object.fromEntries(Object.entries(Object(body)));
}

test("the links lead through all rows, each once, and end", async () => {
  await using server = await serveRoutes(routes);
  const seen: unknown[] = [];
  let next: string | undefined = "/v2/crates?limit=2&kind=box,bag&packed_at[gte]=2026";

  while (next !== undefined) {
    const response = await server.send("GET", next);
    seen.push((await bodyOf(response))["data"]);
    const link = /^<(.+)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
    next = link?.slice(server.url.length);
  }

  expect(seen).toEqual([[{ id: "e" }, { id: "d" }], [{ id: "c" }, { id: "b" }], [{ id: "a" }]]);
});

test("a page says whether there are more, and from where", async () => {
  await using server = await serveRoutes(routes);

  const first = await bodyOf(await server.send("GET", "/v2/crates?limit=4"));
  const last = await bodyOf(
    await server.send("GET", `/v2/crates?limit=4&cursor=${String(first["next_cursor"])}`),
  );

  expect(first).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
  expect(last).toEqual({ data: [{ id: "a" }], has_more: false, next_cursor: null });
});

test("twenty rows are a page where nothing is said", async () => {
  await using server = await serveRoutes(routes);

  expect(await bodyOf(await server.send("GET", "/v2/crates"))).toMatchObject({ has_more: false });
});

test("a page may have another size than the one before", async () => {
  await using server = await serveRoutes(routes);
  const first = await bodyOf(await server.send("GET", "/v2/crates?limit=1"));

  const second = await server.send(
    "GET",
    `/v2/crates?limit=3&cursor=${String(first["next_cursor"])}`,
  );

  expect((await bodyOf(second))["data"]).toEqual([{ id: "d" }, { id: "c" }, { id: "b" }]);
});

describe("a cursor", () => {
  const own = "test /v2/crates {}";
  const good = encodeCursor({ after: "d", scope: own });

  test("is good where it belongs", async () => {
    await using server = await serveRoutes(routes);

    const page = await server.send("GET", `/v2/crates?cursor=${good}`);

    expect((await bodyOf(page))["data"]).toEqual([{ id: "c" }, { id: "b" }, { id: "a" }]);
  });

  test.each([
    ["on another path", `/v2/barrels?cursor=${good}`, "owner"],
    ["with other filters", `/v2/crates?kind=box&cursor=${good}`, "owner"],
    ["in the other mode", `/v2/crates?cursor=${good}`, "live"],
    ["when it is cut short", `/v2/crates?cursor=${good.slice(0, -1)}`, "owner"],
    ["when it is changed", `/v2/crates?cursor=${good.slice(0, -1)}A`, "owner"],
    ["when it is none", "/v2/crates?cursor=none", "owner"],
  ])("is refused %s", async (_, path, caller) => {
    await using server = await serveRoutes(routes);

    const refused = await server.send("GET", path, {
      headers: { Authorization: `Bearer ${caller}` },
    });

    expect(refused.status).toBe(400);
    expect(await bodyOf(refused)).toMatchObject({ code: "invalid_cursor" });
  });
});
