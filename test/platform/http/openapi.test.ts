// The document is made of the same data that serves: what a route says of itself is in it.

import { describe, expect, test } from "bun:test";

import Type, { type TSchema } from "typebox";

import { defineRefusal } from "#kernel/refusal.ts";
import {
  type AnyRoute,
  listRoute,
  readRoute,
  workflowRoute,
  writeRoute,
} from "#platform/http/contract/route.ts";
import {
  choice,
  component,
  line,
  metadata,
  nullable,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";
import { openApiDocument } from "#platform/http/openapi/openapi.ts";
import { refusalsOf } from "#platform/http/openapi/refused.ts";

const crateSealed = defineRefusal("crate_sealed", "conflict", "The crate is sealed.");
const crate = component("Crate", { id: Type.String(), version: whole(1), metadata });

const terms = {
  path: "/v2/crates",
  operationId: "createCrate",
  tag: "Crates",
  summary: "-",
  scopes: ["crates:write"],
};
const read = (query: TSchema | undefined) =>
  readRoute({
    ...terms,
    method: "GET",
    response: crate,
    ...(query === undefined ? {} : { query }),
    handler: async () => ({ id: "c", version: 1, metadata: {} }),
  });
const list = listRoute({
  ...terms,
  method: "GET",
  query: object({ kind: optional(Type.Array(choice(["box", "bag"]))) }),
  response: crate,
  handler: async () => ({ rows: [], hasMore: false }),
});
const write = writeRoute({
  ...terms,
  method: "POST",
  body: object({ label: line(5) }),
  response: crate,
  status: 201,
  refusals: [crateSealed],
  handler: async () => ({ id: "c", version: 1, metadata: {} }),
});
const workflow = workflowRoute({
  ...terms,
  method: "POST",
  response: null,
  status: 204,
  handler: async () => undefined,
});

function documentOf(...routes: readonly AnyRoute[]) {
  const info = { title: "-", description: "-", version: "1" };
  const events = { envelope: object({}), schemas: {}, messages: {} };
  const examples = { requests: {}, responses: {}, events: {} };
  const isPublic = ({ scopes }: AnyRoute) => scopes.includes("crates:use");
  const tags = { Crates: "-" };
  return openApiDocument({
    info,
    url: "/",
    tags,
    routes,
    isPublic,
    events,
    examples,
    vocabulary: {},
  });
}

function operation(route: AnyRoute): unknown {
  const { paths } = documentOf(route);
  return Reflect.get(Object(paths[route.path]), route.method.toLowerCase());
}

function codes(route: AnyRoute): string[] {
  return refusalsOf(route).map((refusal) => refusal.code);
}

describe("an operation", () => {
  test("says what it takes and answers", () => {
    expect(operation(write)).toMatchObject({
      operationId: "createCrate",
      "x-scopes": ["crates:write"],
      requestBody: { required: true },
      responses: {
        201: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/Crate" } } },
          headers: { Location: expect.any(Object), ETag: expect.any(Object) },
        },
        409: { $ref: "#/components/responses/CrateSealed" },
      },
    });
  });

  test("that lists takes a limit and a cursor beside its filters", () => {
    expect(operation(list)).toMatchObject({
      parameters: [
        { name: "kind", style: "form", explode: false, required: false },
        { name: "limit", schema: { minimum: 1, maximum: 100, default: 20 } },
        { name: "cursor" },
      ],
    });
  });

  test("says which parameter it needs", () => {
    expect(operation(read(object({ from: line(10), to: optional(line(10)) })))).toMatchObject({
      parameters: [
        { name: "from", required: true },
        { name: "to", required: false },
        { name: "If-None-Match", in: "header" },
      ],
    });
  });

  test("without an answer has no body", () => {
    const { responses } = Object(documentOf(workflow).components);

    expect(operation(workflow)).toMatchObject({
      responses: { 204: { $ref: "#/components/responses/NoContent" } },
    });
    expect(responses.NoContent).toMatchObject({ description: "Done." });
    expect(responses.NoContent).not.toHaveProperty("content");
  });
});

describe("a refusal", () => {
  test("is a response that operations share, with an example of each code", () => {
    const { components } = documentOf(write, { ...write, path: "/v2/other", operationId: "other" });

    expect(components).toMatchObject({
      responses: {
        CrateSealed: {
          description: "`crate_sealed`: The crate is sealed.",
          headers: { "Idempotent-Replayed": expect.any(Object) },
          content: {
            "application/problem+json": {
              schema: { allOf: [{}, { properties: { code: { enum: ["crate_sealed"] } } }] },
              examples: { crate_sealed: { $ref: "#/components/examples/crate_sealed" } },
            },
          },
        },
      },
      examples: {
        crate_sealed: {
          summary: "The crate is sealed.",
          value: {
            type: "https://shop.example/docs/errors#crate_sealed",
            status: 409,
            code: "crate_sealed",
          },
        },
      },
    });
  });

  test("carries the headers of its status, and not those of every answer", () => {
    const { components } = documentOf(read(undefined));
    const { ScopeMissing, InternalError } = Object(components).responses;

    expect(Object.keys(ScopeMissing.headers)).toEqual(["WWW-Authenticate"]);
    expect(InternalError).not.toHaveProperty("headers");
  });
});

describe("an operation may refuse", () => {
  test("what reads: nothing of bodies and idempotency keys", () => {
    expect(codes(read(undefined))).toEqual([
      "api_key_invalid",
      "scope_missing",
      "rate_limited",
      "query_invalid",
      "header_invalid",
      "internal_error",
    ]);
  });

  test("what lists: cursors too", () => {
    expect(codes(list)).toContain("invalid_cursor");
  });

  test("what writes: what its work refuses, and all that a body can be", () => {
    expect(codes(write)).toEqual(
      expect.arrayContaining([
        "crate_sealed",
        "body_too_large",
        "json_malformed",
        "media_type_unsupported",
        "validation_failed",
        "idempotency_key_invalid",
        "idempotency_key_reused",
        "storage_full",
      ]),
    );
  });

  test("what calls the world: a retry that comes too early", () => {
    expect(codes(workflow)).toContain("idempotency_in_progress");
    expect(codes(write)).not.toContain("idempotency_in_progress");
    expect(codes({ ...workflow, method: "GET" })).not.toContain("idempotency_in_progress");
  });
});

test("what may be null lists null among its types", () => {
  const shelf = component("Shelf", { name: nullable(line(5)), size: nullable(choice(["s", "l"])) });
  const { components } = documentOf(
    readRoute({
      ...terms,
      method: "GET",
      response: component("Room", { shelf: nullable(shelf) }),
      handler: async () => ({ shelf: null }),
    }),
  );

  expect(components.schemas).toMatchObject({
    Room: { properties: { shelf: { anyOf: [{ $ref: expect.any(String) }, { type: "null" }] } } },
    Shelf: {
      properties: {
        name: { type: ["string", "null"], minLength: 1, maxLength: 5 },
        size: { type: ["string", "null"], enum: ["s", "l", null] },
      },
    },
  });
});

test("words of our own stay out of the document", () => {
  expect(JSON.stringify(documentOf(write))).not.toMatch(/x-(component|metadata|money)/);
});

test("two shapes of one name are a bug", () => {
  const other = component("Crate", { id: whole() });
  const second = readRoute({
    ...terms,
    path: "/v2/other",
    method: "GET",
    response: other,
    handler: async () => ({ id: 1 }),
  });

  expect(() => documentOf(write, second)).toThrow("Two different shapes are named Crate.");
});
