// The document against that of the last release, which `test/upgrades` keeps: what breaks a client of it needs an exception
// in `breaking.json`, with a reason and its line under Breaking in the changelog; what is new is named in the changelog.

import { describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";

import { document } from "#interface.ts";

import { narrowedTerms, newNames } from "./document-terms.ts";
import { withFormerWays } from "./operations.ts";
import { breakingChanges, wireLines } from "./wire-lines.ts";

interface Exception {
  /** The change as the test names it; absent where the document is as before and only answers are other ones. */
  readonly change?: string;
  /** The pattern of many such changes. */
  readonly changes?: string;
  readonly reason: string;
  /** Words of the line under Breaking that tells of it. */
  readonly line: string;
  /** A pattern of the places in `test/upgrades` at which kept answers are other ones by it. */
  readonly answers?: string;
}

const root = new URL("../../", import.meta.url);
const releases: readonly { readonly version: string }[] = await Bun.file(
  new URL("test/upgrades/releases.json", root),
).json();
const last = releases.at(-1)?.version ?? "";
const exceptions: readonly Exception[] = await Bun.file(
  new URL("breaking.json", import.meta.url),
).json();
const kept = await Bun.file(new URL(`test/upgrades/${last}/openapi.json.gz`, root)).bytes();
const before: unknown = JSON.parse(gunzipSync(kept).toString());
const after: unknown = JSON.parse(JSON.stringify(document()));

/** The sections of the changelog that are newer than the last release. */
const news = await newsSince(last);

async function newsSince(version: string): Promise<string> {
  const text = await Bun.file(new URL("CHANGELOG.md", root)).text();
  return text.split(`\n## ${version} `)[0] ?? "";
}

function broken(older: unknown, newer: unknown): string[] {
  const lines = breakingChanges(wireLines(older), withFormerWays(wireLines(newer)));
  return [...lines, ...narrowedTerms(older, newer)];
}

function excepts({ change, changes }: Exception, made: string): boolean {
  return change === made || (changes !== undefined && new RegExp(changes).test(made));
}

describe("since the last release", () => {
  const changes = broken(before, after);

  test("no client of it breaks, but by an exception", () => {
    expect(changes.filter((change) => !exceptions.some((one) => excepts(one, change)))).toEqual([]);
  });

  test("each exception is of a change that is there", () => {
    const ofDocument = exceptions.filter((one) => (one.change ?? one.changes) !== undefined);

    expect(ofDocument.filter((one) => !changes.some((change) => excepts(one, change)))).toEqual([]);
  });

  test("each exception has a reason, and a line under Breaking", () => {
    const parts = [...news.matchAll(/^### Breaking\n([\s\S]*?)(?=^##|(?![\s\S]))/gm)];
    const lines = parts.map(([part]) => part).join("\n");

    const untold = exceptions.filter(
      ({ reason, line }) => reason.length < 20 || line.length < 20 || !lines.includes(line),
    );

    expect(untold).toEqual([]);
  });

  test("each new operation, event and scope is named in the changelog", () => {
    expect(newNames(before, after).filter((name) => !news.includes(name))).toEqual([]);
  });
});

const crate = {
  type: "object",
  additionalProperties: false,
  required: ["label"],
  properties: {
    label: { type: "string", maxLength: 40 },
    lid: { $ref: "#/components/schemas/Lid" },
  },
};

/** A document of one operation and one event. */
function documentOf({ operation = {}, body = crate, lid = {}, path = "/v2/crates" } = {}) {
  const schema = { allOf: [{}, { properties: { code: { enum: ["crate_taken"] } } }] };
  return {
    paths: {
      [path]: {
        post: {
          "x-scopes": ["crates:write", "crates:create"],
          "x-audience": "public",
          parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 100 } }],
          requestBody: { required: true, content: { "application/json": { schema: body } } },
          responses: { 201: {}, 409: { $ref: "#/components/responses/CrateTaken" } },
          ...operation,
        },
      },
    },
    webhooks: { "crate.packed": { post: { summary: "crate.packed" } } },
    components: {
      schemas: { Lid: { type: "string", pattern: "^[a-z]+$", ...lid } },
      responses: { CrateTaken: { content: { "application/json": { schema } } } },
    },
  };
}

const old = documentOf();

describe("a client breaks", () => {
  test.each([
    ["when a path goes", documentOf({ path: "/v2/boxes" }), "gone: POST /v2/crates"],
    [
      "when one of the scopes is not enough any more",
      documentOf({ operation: { "x-scopes": ["crates:write"] } }),
      "no longer enough: POST /v2/crates scope crates:create",
    ],
    [
      "when publishable keys may not call it any more",
      documentOf({ operation: { "x-audience": undefined } }),
      "no longer enough: POST /v2/crates audience public",
    ],
    [
      "when a code goes, or has another status",
      documentOf({ operation: { responses: { 201: {} } } }),
      "no longer told: POST /v2/crates 409 crate_taken",
    ],
    [
      "when the status of success is another",
      documentOf({
        operation: { responses: { 200: {}, 409: { $ref: "#/components/responses/CrateTaken" } } },
      }),
      "gone: POST /v2/crates <201! undefined",
    ],
    [
      "when a text may be less long",
      documentOf({
        body: {
          ...crate,
          properties: { ...crate.properties, label: { type: "string", maxLength: 39 } },
        },
      }),
      "narrower: POST /v2/crates body/label maxLength 40 -> 39",
    ],
    [
      "when a list has fewer rows in a page",
      documentOf({
        operation: {
          parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 50 } }],
        },
      }),
      "narrower: POST /v2/crates limit maximum 100 -> 50",
    ],
    [
      "when a component of requests has a limit that it had not",
      documentOf({ lid: { minLength: 2 } }),
      "narrower: Lid minLength undefined -> 2",
    ],
    [
      "when a pattern is another",
      documentOf({ lid: { pattern: "^[a-f]+$" } }),
      "narrower: Lid pattern ^[a-z]+$ -> ^[a-f]+$",
    ],
  ])("%s", (_, newer, change) => {
    expect(broken(old, newer)).toContain(change);
  });
});

test("no client breaks when limits are wider, and when there are more scopes, codes and names", () => {
  const wider = documentOf({
    operation: { "x-scopes": ["crates:write", "crates:create", "crates:pack"] },
    body: {
      ...crate,
      properties: { ...crate.properties, label: { type: "string", maxLength: 80 } },
    },
    lid: { pattern: undefined },
  });

  expect(broken(old, wider)).toEqual([]);
  expect(newNames(old, wider)).toEqual(["crates:pack"]);
});
