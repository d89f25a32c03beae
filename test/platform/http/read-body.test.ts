// Bodies are taken in whole and strictly, or not at all. Told by a route that answers its body.

import { describe, expect, test } from "bun:test";

import { writeRoute } from "#platform/http/contract/route.ts";
import { metadata, object, optional } from "#platform/http/contract/words.ts";

import { type ServedRoutes, serveRoutes } from "./serve-routes.ts";

const MIB = 1_048_576;

const echo = writeRoute({
  method: "POST",
  path: "/v2/crates",
  operationId: "tryCrates",
  tag: "Crates",
  summary: "Answer what was sent",
  scopes: ["crates:write"],
  body: object({ metadata: optional(metadata) }),
  response: object({ metadata: optional(metadata) }),
  handler: async (tx, { body }) => {
    await tx.emit({ name: "crate.seen", subject: "crate", data: {} });
    return body;
  },
});

interface Told {
  readonly status: number;
  readonly code: unknown;
  readonly faults: unknown;
  readonly headers: Headers;
}

async function tell(response: Response): Promise<Told> {
  const { code = null, errors = [] } = Object(await response.json());
  return {
    status: response.status,
    headers: response.headers,
    code,
    faults: Array.from(errors, (error) => Object(error).code),
  };
}

async function post(server: ServedRoutes, init: RequestInit): Promise<Told> {
  return tell(await server.send("POST", "/v2/crates", init));
}

/** Sends pieces without announcing how much comes. */
function inPieces(pieces: readonly (string | Uint8Array)[]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      const encoder = new TextEncoder();
      for (const piece of pieces) {
        controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
      }
      controller.close();
    },
  });
}

describe("a body is nothing when", () => {
  test.each([
    ["there is none", {}],
    ["it is empty", { body: "" }],
    ["it is an empty object", { body: "{}" }],
    ["it is empty and unannounced", { body: inPieces([]) }],
  ])("%s", async (_, init) => {
    await using server = await serveRoutes([echo]);

    expect(await post(server, init)).toMatchObject({ status: 200 });
    expect(await server.announced()).toEqual(["crate.seen"]);
  });
});

test("a body comes back as it was given", async () => {
  await using server = await serveRoutes([echo]);
  const body = '{"metadata":{"a":[1,2.5,null,true,"é😀\\n"],"b":{"c":{}}}}';

  const response = await server.send("POST", "/v2/crates", { body });

  expect(await response.json()).toEqual(JSON.parse(body));
});

test("a body in pieces that split a character is one text", async () => {
  await using server = await serveRoutes([echo]);
  const bytes = new TextEncoder().encode('{"metadata":{"a":"é"}}');

  const response = await server.send("POST", "/v2/crates", {
    body: inPieces([bytes.slice(0, 19), bytes.slice(19)]),
  });

  expect(await response.json()).toEqual({ metadata: { a: "é" } });
});

describe("a body is refused as malformed", () => {
  test.each([
    ["where it is no JSON", "{", "json_syntax"],
    ["where something follows", "{} {}", "json_syntax"],
    ["with a trailing comma", '{"a":1,}', "json_syntax"],
    ["with NaN", '{"a":NaN}', "json_syntax"],
    ["of white space only", "  ", "json_empty"],
    ["with a byte order mark", "\ufeff{}", "json_encoding"],
    ["that is no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), "json_encoding"],
    ["with a key twice", '{"metadata":{},"metadata":{}}', "json_duplicate_key"],
    ["with a key twice, once escaped", '{"a":1,"\\u0061":2}', "json_duplicate_key"],
    ["with a prototype", '{"__proto__":{"x":1}}', "json_forbidden_key"],
    ["with a constructor", '{"metadata":{"constructor":1}}', "json_forbidden_key"],
    ["33 levels deep", `${"[".repeat(33)}${"]".repeat(33)}`, "json_depth"],
    ["200,000 levels deep", "[".repeat(200_000), "json_depth"],
    ["with half a surrogate pair", '{"metadata":{"a":"\\ud800"}}', "json_string"],
  ])("%s", async (_, body, code) => {
    await using server = await serveRoutes([echo]);

    const refused = await post(server, { body });

    expect(refused).toMatchObject({ status: 400, code: "json_malformed", faults: [code] });
    expect(await server.announced()).toEqual([]);
  });
});

describe("the names of a body", () => {
  /** Short names, so that the body is small. */
  const named = (count: number) =>
    `{${Array.from({ length: count }, (_, nth) => `"${nth.toString(36)}":1`).join()}}`;

  test("are at most 50,000", async () => {
    await using server = await serveRoutes([echo]);

    const refused = await post(server, { body: named(50_001) });

    expect(refused).toMatchObject({ status: 422, code: "too_many_fields" });
    expect(await post(server, { body: named(50_000) })).not.toMatchObject({
      code: "too_many_fields",
    });
  });
});

describe("the size of a body", () => {
  const padded = (bytes: number) => `{}${" ".repeat(bytes - 2)}`;

  test.each([
    ["announced", () => padded(MIB)],
    ["counted", () => inPieces([padded(MIB - 1), " "])],
  ])("may be 1 MiB, %s", async (_, body) => {
    await using server = await serveRoutes([echo]);

    expect(await post(server, { body: body() })).toMatchObject({ status: 200 });
  });

  test.each([
    ["announced", () => padded(MIB + 1)],
    ["counted", () => inPieces([padded(MIB), " "])],
  ])("may not be a byte more, %s", async (_, body) => {
    await using server = await serveRoutes([echo]);

    const refused = await post(server, { body: body() });

    expect(refused).toMatchObject({ status: 413, code: "body_too_large" });
    expect(await server.announced()).toEqual([]);
  });
});

describe("the size of a body with a publishable key", () => {
  const padded = (bytes: number) => `{}${" ".repeat(bytes - 2)}`;
  const headers = { Authorization: "Bearer visitor" };

  test.each([
    ["announced", () => padded(65_536)],
    ["counted", () => inPieces([padded(65_535), " "])],
  ])("may be 64 KiB, %s", async (_, body) => {
    await using server = await serveRoutes([echo]);

    expect(await post(server, { body: body(), headers })).toMatchObject({ status: 200 });
  });

  test.each([
    ["announced", () => padded(65_537)],
    ["counted", () => inPieces([padded(65_536), " "])],
  ])("may not be a byte more, %s", async (_, body) => {
    await using server = await serveRoutes([echo]);

    const refused = await post(server, { body: body(), headers });

    expect(refused).toMatchObject({ status: 413, code: "body_too_large" });
    expect(await server.announced()).toEqual([]);
  });
});

describe("a body is JSON when it says", () => {
  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    'application/json; charset="utf-8"',
    "Application/JSON",
  ])("%s", async (type) => {
    await using server = await serveRoutes([echo]);

    const headers = { "Content-Type": type };

    expect(await post(server, { body: "{}", headers })).toMatchObject({ status: 200 });
  });

  test.each([
    "application/json; charset=utf-16",
    "application/json; charset=latin1",
    "application/jsonp",
    "application/json, text/plain",
    "application/problem+json",
    "text/plain",
    "text/plain; application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "",
  ])("not %p", async (type) => {
    await using server = await serveRoutes([echo]);

    const refused = await post(server, { body: "{}", headers: { "Content-Type": type } });

    expect(refused).toMatchObject({ status: 415, code: "media_type_unsupported" });
    expect(refused.headers.get("accept")).toBe("application/json");
    expect(await server.announced()).toEqual([]);
  });
});

test("a packed body is refused with what would be taken", async () => {
  await using server = await serveRoutes([echo]);

  const refused = await post(server, {
    body: Bun.gzipSync("{}"),
    headers: { "Content-Encoding": "gzip" },
  });

  expect(refused).toMatchObject({ status: 415, code: "media_type_unsupported" });
  expect(refused.headers.get("accept-encoding")).toBe("identity");
});

test("a body that says it is not packed is taken", async () => {
  await using server = await serveRoutes([echo]);

  const headers = { "Content-Encoding": "identity" };

  expect(await post(server, { body: "{}", headers })).toMatchObject({ status: 200 });
});
