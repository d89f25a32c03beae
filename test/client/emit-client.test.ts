// The generator: what becomes of the shapes of a document, and that it refuses those it does not know.

import { describe, expect, test } from "bun:test";

import { clientScript, clientSource } from "#client/emit-client.ts";
import { declarationText, typeText } from "#client/type-text.ts";
import { document, routes } from "#interface.ts";
import { decimal } from "#platform/http/contract/words.ts";

type Json = Record<string, unknown>;

const whole = clientSource(document());

/** The client of one operation beside the schemas that every document has. */
function clientOf(
  operation: Json,
  { path = "/v2/mugs/{mug_id}", verb = "get", components = {} } = {},
): string {
  const schemas = {
    Mug: { type: "string" },
    Event: { type: "string" },
    Problem: { type: "string" },
    WebhookPing: { type: "string" },
    ...components,
  };
  return clientSource({
    openapi: "3.1.0",
    info: { title: "Duka", description: "", version: "1.2.3" },
    tags: [{ name: "Mugs", description: "Mugs of the shop." }],
    paths: {
      [path]: {
        [verb]: {
          operationId: "retrieveMug",
          tags: ["Mugs"],
          summary: "Retrieve a mug",
          parameters: [{ name: "mug_id", in: "path" }],
          responses: answering({ $ref: "#/components/schemas/Mug" }),
          ...operation,
        },
      },
    },
    components: { schemas },
  });
}

function answering(schema: Json, status = "200"): Json {
  const refusal = { properties: { code: { enum: ["mug_not_found"] } } };
  return {
    [status]: { content: { "application/json": { schema } } },
    404: { content: { "application/json": { schema: { allOf: [refusal] } } } },
  };
}

/** The resource in an emitted client. */
function mugsOf(source: string): string {
  return /( {2}\/\*\* Mugs of[\s\S]*?\n {2}\};)/.exec(source)?.[1] ?? "";
}

describe("a type", () => {
  test.each([
    [{ type: "string", format: "email", maxLength: 254 }, "string"],
    [{ type: "integer", minimum: 0 }, "number"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ type: "string", enum: ["a", "b"] }, '"a" | "b"'],
    [{ type: ["string", "null"], enum: ["a", null] }, '"a" | null'],
    [{ const: "order.paid" }, '"order.paid"'],
    [{ $ref: "#/components/schemas/Order" }, "Order"],
    [
      { anyOf: [{ type: "number" }, { type: "string" }, { type: "null" }] },
      "number | string | null",
    ],
    [{ oneOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/B" }] }, "A | B"],
    [
      { allOf: [{ $ref: "#/components/schemas/A" }, { type: ["string", "null"] }] },
      "A & (string | null)",
    ],
    [{ type: "array", items: { type: ["string", "null"] } }, "(string | null)[]"],
    [{ type: "object", additionalProperties: true }, "Record<string, unknown>"],
    [{ type: "object", additionalProperties: { type: "string" } }, "Record<string, string>"],
    [{ type: "object", properties: {}, additionalProperties: false }, "Record<string, never>"],
  ])("of %j is %s", (schema, text) => {
    expect(typeText(schema, "here")).toBe(text);
  });

  test("of an object names what is required, and says what a member means", () => {
    const schema = {
      type: "object",
      description: "A line.",
      required: ["id"],
      additionalProperties: false,
      properties: {
        id: { type: "string", description: "Ends */ no comment." },
        "tax-rate": { type: "number" },
        inner: { type: ["object", "null"], properties: { a: { type: "boolean" } } },
      },
    };

    expect(declarationText("Line", schema)).toBe(`/** A line. */
export interface Line {
  /** Ends *\\/ no comment. */
  id: string;
  "tax-rate"?: number | undefined;
  inner?: {
    a?: boolean | undefined;
    [member: string]: unknown;
  } | null | undefined;
}
`);
  });

  test.each([
    ["a keyword that it does not know", { type: "object", dependentSchemas: {} }],
    ["a type that it does not know", { type: "date" }],
    ["items without a list", { type: "string", items: { type: "string" } }],
    ["two deciding keywords", { anyOf: [{ type: "string" }], enum: ["a"] }],
    ["a reference elsewhere", { $ref: "https://example.com/order.json" }],
    ["a list of anything", { type: "array" }],
    ["no type", { properties: { a: { type: "string" } } }],
    [
      "typed members beside named ones",
      {
        type: "object",
        properties: { a: { type: "string" } },
        additionalProperties: { type: "string" },
      },
    ],
  ])("of %s is refused", (_, schema) => {
    expect(() => typeText(schema, "here")).toThrow(/here/);
  });
});

describe("a method", () => {
  test("takes the ids of the path, its input and options", () => {
    const source = clientOf({ description: "Read it." });

    expect(mugsOf(source)).toBe(`  /** Mugs of the shop. */
  readonly mugs = {
    /**
     * Retrieve a mug
     *
     * Read it.
     */
    retrieve: (mugId: string, options?: ReadOptions) =>
      this.#api.get<Mug>(pathOf\`/v2/mugs/\${mugId}\`, undefined, options),
  };`);
  });

  test("takes a query with what is required in it", () => {
    const parameters = [{ name: "size", in: "query", required: true, schema: { type: "integer" } }];

    const source = clientOf({ parameters }, { path: "/v2/mugs" });

    expect(mugsOf(source)).toContain(
      "retrieve: (query: RetrieveMugQuery, options?: ReadOptions) =>",
    );
    expect(source).toContain("export interface RetrieveMugQuery {\n  size: number;\n}\n");
  });

  test.each([
    ["Idempotency-Key", "WriteOptions"],
    ["If-Match", "UpdateOptions"],
  ])("that sends %s takes %s", (name, options) => {
    const parameters = [{ name, in: "header" }];

    const source = clientOf({ parameters }, { path: "/v2/mugs", verb: "post" });

    expect(mugsOf(source)).toContain(`retrieve: (options?: ${options}) =>`);
  });

  test("takes an amount of its query as a number, too", () => {
    const parameters = [
      { name: "price[gte]", in: "query", schema: { type: "string", pattern: decimal.pattern } },
      { name: "code", in: "query", schema: { type: "string", pattern: "^[a-z]+$" } },
    ];

    const text = clientOf({ parameters }, { path: "/v2/mugs" });

    expect(text).toContain('"price[gte]"?: string | number | undefined;');
    expect(text).toContain("code?: string | undefined;");
  });

  test("without an answer is void", () => {
    const source = clientOf({ responses: { 204: { description: "Done." } } }, { verb: "delete" });

    expect(mugsOf(source)).toContain("this.#api.delete<void>(");
  });

  test.each([
    ["cursor", ["has_more", "next_cursor"], "list<Mug>"],
    ["after", ["has_more", "next_after", "last"], "list<Mug, RetrieveMugResponse>"],
    ["limit", ["has_more", "next_cursor"], "get<RetrieveMugResponse>"],
  ])("that pages by %s answers with %j: %s", (name, members, text) => {
    const data = { type: "array", items: { $ref: "#/components/schemas/Mug" } };
    const others = Object.fromEntries(members.map((member) => [member, { type: "string" }]));
    const page = { type: "object", properties: { data, ...others }, additionalProperties: false };
    const parameters = [{ name, in: "query", schema: { type: "string" } }];

    const source = clientOf({ parameters, responses: answering(page) }, { path: "/v2/mugs" });

    expect(mugsOf(source)).toContain(`this.#api.${text}(`);
  });

  test.each<[string, Json, { verb?: string; path?: string }]>([
    ["a header that it does not send", { parameters: [{ name: "X-Shop", in: "header" }] }, {}],
    ["a method that it does not know", {}, { verb: "patch" }],
    ["a body where it sends a query", { requestBody: { content: {} } }, {}],
    ["a body that is no JSON", { requestBody: { content: { "image/png": {} } } }, { verb: "post" }],
    [
      "a query where it sends a body",
      { parameters: [{ name: "a", in: "query", schema: { type: "string" } }] },
      { verb: "put" },
    ],
    [
      "parameters that are repeated",
      {
        parameters: [
          { name: "a", in: "query", schema: { type: "array", items: { type: "string" } } },
        ],
      },
      {},
    ],
    [
      "two answers",
      { responses: { ...answering({ type: "string" }), ...answering({ type: "number" }, "201") } },
      {},
    ],
    ["an answer without a schema", { responses: { 200: { content: {} } } }, {}],
    ["no operation id", { operationId: undefined }, {}],
    ["a tag that is not there", { tags: ["Cups"] }, {}],
  ])("with %s is refused", (_, operation, terms) => {
    expect(() => clientOf(operation, terms)).toThrow(/mug/i);
  });
});

test.each(["Page", "DukaError", "Duka"])("a schema named %s is refused", (name) => {
  const components = { [name]: { type: "string" } };

  expect(() => clientOf({}, { components })).toThrow(name);
});

describe("the client of this program", () => {
  test("has a method for every operation", () => {
    const methods = whole.match(/this\.#api\.\w+</g) ?? [];

    expect(methods).toHaveLength(routes.length);
  });

  // A name that changes here breaks programs that are written.
  test("names its methods once and for ever", () => {
    const script = whole.slice(0, whole.indexOf("\n}\n"));
    const named = [...script.matchAll(/^ {2}readonly (\w+) = |^ {4}(\w+): \(/gm)].map(
      ([, resource, method]) => resource ?? `  ${method}`,
    );

    expect(named.join("\n")).toMatchSnapshot();
  });

  test("is never wider than the document", () => {
    expect(whole).not.toMatch(/\bany\b(?=[;,>)\]]| \|)/);
    expect(whole).not.toContain("unknown[]");
  });

  test("imports nothing and shows nothing of its inside", () => {
    const exported = [...whole.matchAll(/^export (?:async )?(?:class|function) (\w+)/gm)];

    expect(whole).not.toMatch(/^import /m);
    expect(exported.map(([, name]) => name)).toEqual([
      "Duka",
      "List",
      "DukaError",
      "verifyWebhook",
    ]);
  });

  test("names its version, and the document by its hash", () => {
    expect(whole).toMatch(
      /^\/\/ The client of Duka \d+\.\d+\.\d+, .*\(SHA-256 [0-9a-f]{16}…\)\.$/m,
    );
  });

  test("has the same in JavaScript, without types", () => {
    const script = clientScript(document());

    expect(script.split("\n")[0]).toBe(whole.split("\n")[0] ?? "");
    expect(script).not.toMatch(/^(?:export )?(?:interface|type) /m);
    expect(script.length).toBeLessThan(29_000);
  });
});
