// What will end says so: in the headers of its answers, in the document and in the client.

import { describe, expect, test } from "bun:test";

import Type from "typebox";

import { clientSource } from "#client/emit-client.ts";
import { type AnyRoute, listRoute, readRoute, writeRoute } from "#platform/http/contract/route.ts";
import { added } from "#platform/http/contract/wire.ts";
import { component, line, object, optional } from "#platform/http/contract/words.ts";
import { openApiDocument } from "#platform/http/openapi/openapi.ts";
import { openMetrics } from "#platform/operator/metrics.ts";

import { serveRoutes } from "./serve-routes.ts";

const deprecated = {
  since: "2027-01-15",
  sunset: "2028-02-01",
  instead: "Use `GET /v2/boxes`.",
};

const crate = component("Crate", { id: Type.String() });
const terms = { tag: "Crates", summary: "-", scopes: ["crates:read"] };
const list = listRoute({
  ...terms,
  deprecated,
  method: "GET",
  path: "/v2/crates",
  operationId: "listCrates",
  query: object({ kind: optional(line(9, { deprecated })) }),
  response: crate,
  handler: async () => ({ rows: [{ id: "c" }], hasMore: true }),
});
const add = writeRoute({
  ...terms,
  audit: false,
  method: "POST",
  path: "/v2/crates",
  operationId: "createCrate",
  body: object({ label: line(9, { description: "Its label.", deprecated }), size: line(9) }),
  response: crate,
  handler: async () => ({ id: "c" }),
});
const box = readRoute({
  ...terms,
  method: "GET",
  path: "/v2/boxes",
  operationId: "retrieveBox",
  response: component("Box", { id: line(9) }),
  handler: async () => ({ id: "b" }),
});

function documentOf(...routes: readonly AnyRoute[]) {
  return openApiDocument({
    info: { title: "-", description: "-", version: "1" },
    url: "/",
    tags: { Crates: "-" },
    routes,
    isPublic: () => false,
    events: { envelope: object({}), schemas: {}, messages: {} },
    examples: { requests: {}, responses: {}, events: {} },
    vocabulary: {},
  });
}

describe("an operation that will end", () => {
  test("says since when, until when, and where that is explained", async () => {
    await using server = await serveRoutes([list]);

    const { status, headers } = await server.send("GET", "/v2/crates");

    expect([status, headers.get("deprecation")]).toEqual([200, "@1799971200"]);
    expect(headers.get("sunset")).toBe("Tue, 01 Feb 2028 00:00:00 GMT");
    const [next, guide] = (headers.get("link") ?? "").split(", ");
    expect(next).toEndWith('rel="next"');
    expect(guide).toBe(`<${server.url}/guides/api>; rel="deprecation"; type="text/html"`);
  });

  test("does not explain it with a refusal", async () => {
    await using server = await serveRoutes([list]);

    const { status, headers } = await server.send("GET", "/v2/crates?limit=0");

    expect([status, headers.get("deprecation"), headers.get("link")]).toEqual([400, null, null]);
  });

  test("has the words and the headers in the document", () => {
    const document = documentOf(list, box);
    const { get: operation } = Object(document.paths["/v2/crates"]);

    expect(operation).toMatchObject({ deprecated: true, "x-deprecation": deprecated });
    expect(operation.description).toEndWith(
      "Deprecated since 2027-01-15, and there until 2028-02-01 at least. Use `GET /v2/boxes`.",
    );
    expect(Object.keys(operation.responses[200].headers)).toContain("Sunset");
    expect(Object.keys(Object(document.components)["headers"])).toContain("Deprecation");
  });
});

test("other operations say nothing of it, and neither does a document of them alone", async () => {
  await using server = await serveRoutes([list, box]);
  const { headers } = await server.send("GET", "/v2/boxes");

  const document = documentOf(box);

  expect([headers.get("deprecation"), headers.get("sunset"), headers.get("link")]).toEqual([
    null,
    null,
    null,
  ]);
  expect(JSON.stringify(document)).not.toMatch(/deprecat|sunset/i);
});

describe("a field that will end", () => {
  test("is taken as before, and says so in the document", async () => {
    await using server = await serveRoutes([add]);
    const body = { label: "a", size: "b" };

    const { status } = await server.send("POST", "/v2/crates", { body: JSON.stringify(body) });

    expect(status).toBe(200);
    const { CreateCrate } = Object(Object(documentOf(add).components)["schemas"]);
    expect(CreateCrate.properties.size).toEqual({ type: "string", minLength: 1, maxLength: 9 });
    expect(CreateCrate.properties.label).toMatchObject({
      deprecated: true,
      description: expect.stringMatching(/^Its label\.\n\nDeprecated since 2027-01-15/),
    });
  });

  test("may be a filter, or a component at one place of several", () => {
    const named = { ...crate, deprecated };
    const crates = component("Crates", { first: added(named), last: crate });
    const document = documentOf(list, { ...box, response: crates });

    const [filter] = Object(document.paths["/v2/crates"]).get.parameters;
    const { Crates, Crate } = Object(Object(document.components)["schemas"]);
    expect(filter).toMatchObject({ name: "kind", deprecated: true });
    expect(Crates.properties.first).toMatchObject({ deprecated: true });
    expect([Crates.properties.last, Crate.deprecated]).toEqual([
      { $ref: "#/components/schemas/Crate" },
      undefined,
    ]);
  });
});

test("the client's editors strike through what will end, and say what to use", () => {
  const document = documentOf({ ...list, response: crate }, add);
  const components = Object(document.components);
  const schemas = {
    ...components.schemas,
    Event: { type: "string" },
    WebhookPing: { type: "string" },
  };

  const source = clientSource({ ...document, components: { ...components, schemas } });

  const tag = "@deprecated Use `GET /v2/boxes`.";
  expect(source.split(tag)).toHaveLength(4);
  expect(source).toMatch(/@deprecated Use `GET \/v2\/boxes`\.\n +\*\/\n +label: string;/);
});

test.each([
  ["2027-01-15", "2028-01-14"],
  ["2027-02-30", "2029-01-01"],
  ["2027-01-15", "soon"],
])("what is deprecated since %s stays longer than until %s", (since, sunset) => {
  const early = { ...list, deprecated: { since, sunset, instead: "-" } };

  expect(() => documentOf(early)).toThrow(RangeError);
});

test("requests for what will end are counted by operation", async () => {
  const metrics = openMetrics({ version: "0.2.0", engine: "sqlite" });

  metrics.countDeprecated("listCrates");
  metrics.countDeprecated("listCrates");

  expect(await metrics.render()).toContain(
    '\nduka_deprecated_requests_total{operation="listCrates"} 2\n',
  );
});
