// Compression by Accept-Encoding: what is chosen, and that every coding decodes to the same bytes
// under an ETag of its own.

import { describe, expect, test } from "bun:test";
import { brotliDecompressSync } from "node:zlib";

import Type from "typebox";

import { chooseCoding, type Coding } from "#platform/http/content-coding.ts";
import { readRoute, writeRoute } from "#platform/http/contract/route.ts";
import { object } from "#platform/http/contract/words.ts";

import { openDocs } from "./docs-site.ts";
import { serveRoutes } from "./serve-routes.ts";

type Decode = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;

const decoders: Readonly<Record<string, Decode>> = {
  identity: (bytes) => bytes,
  zstd: (bytes) => new Uint8Array(Bun.zstdDecompressSync(bytes)),
  br: (bytes) => new Uint8Array(brotliDecompressSync(bytes)),
  gzip: (bytes) => Bun.gunzipSync(bytes),
};

/** A response, its body as it was sent and without its coding. */
async function received(answer: Response) {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const coding = answer.headers.get("content-encoding") ?? "identity";
  const text = new TextDecoder().decode(decoders[coding]?.(bytes));
  return { answer, coding, length: bytes.length, text };
}

const crate = object({ version: Type.Integer(), text: Type.String() });
const shared = { operationId: "tryCrates", tag: "Crates", summary: "Try", response: crate };
const contents = { short: "mug ", long: "mug ".repeat(300), longer: "mug ".repeat(1_100) };

/** Crates with texts of different lengths, read and written. */
function serveCrates(corsOrigins: readonly string[] = []) {
  const routes = Object.entries(contents).flatMap(([name, text]) => [
    readRoute({
      ...shared,
      method: "GET",
      path: `/v2/${name}`,
      scopes: ["crates:read"],
      handler: async () => ({ version: 7, text }),
    }),
    writeRoute({
      ...shared,
      method: "POST",
      path: `/v2/${name}`,
      scopes: ["crates:write"],
      handler: async () => ({ version: 7, text }),
    }),
  ]);
  return serveRoutes(routes, { cors: { origins: corsOrigins, allowsNoOrigin: async () => false } });
}

describe("the coding with the highest weight is chosen, zstd before br before gzip", () => {
  test.each<[acceptEncoding: string | null, coding: Coding | null]>([
    [null, null],
    ["", null],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["gzip, deflate, br", "br"],
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip;q=1.0, br;q=0.5", "gzip"],
    ["gzip ; q=0.4 , br ; Q=0.5", "br"],
    ["br;q=0, gzip;q=0.001", "gzip"],
    ["deflate, compress", null],
    ["*", "zstd"],
    ["zstd;q=0, *", "br"],
    ["*;q=0", null],
    ["gzip;q=0", null],
    ["identity", null],
    ["identity, gzip;q=0.5", null],
    ["identity;q=0.5, gzip", "gzip"],
    ["gzip;q=2", null],
    ["gzip;q=1.001", null],
    ["gzip;q=-1", null],
    ["gzip;q=many", null],
    ["gzip;level=9", null],
    [",,;q=1, br", "br"],
  ])("%p: %p", (acceptEncoding, coding) => {
    expect(chooseCoding(acceptEncoding)).toBe(coding);
  });
});

describe("a small body is compressed only if identity is refused", () => {
  test.each<[acceptEncoding: string, coding: Coding | null]>([
    ["gzip", null],
    ["gzip, identity;q=0", "gzip"],
    ["gzip, *;q=0", "gzip"],
    ["identity;q=0", null],
  ])("%p: %p", (acceptEncoding, coding) => {
    expect(chooseCoding(acceptEncoding, { isSmall: true })).toBe(coding);
  });
});

test("headers that were never seen before do not change what is chosen for known ones", () => {
  const strange = Array.from({ length: 500 }, (_, at) => chooseCoding(`x-${at}, br`));

  expect(new Set(strange)).toEqual(new Set(["br"]));
  expect(chooseCoding("x-3, gzip")).toBe("gzip");
});

describe("a resource above 1 KB", () => {
  test.each(Object.keys(decoders))("decodes to the same bytes in %s", async (coding) => {
    await using server = await serveCrates();
    const asked = { headers: { "Accept-Encoding": coding }, decompress: false };

    const read = await received(await server.send("GET", "/v2/long", asked));

    expect(read.coding).toBe(coding);
    expect(read.text).toBe(JSON.stringify({ version: 7, text: contents.long }));
    expect(read.answer.headers.get("vary")).toBe("Accept-Encoding");
    expect(read.answer.headers.get("content-length")).toBe(String(read.length));
  });

  test("has a strong ETag in each coding, and 304 for that and for its identity", async () => {
    await using server = await serveCrates();
    const ask = (coding: string, headers = {}) =>
      server.send("GET", "/v2/long", {
        headers: { "Accept-Encoding": coding, ...headers },
        decompress: false,
      });
    const plain = (await ask("identity")).headers.get("etag") ?? "";
    const packed = (await ask("gzip")).headers.get("etag") ?? "";

    const known = await ask("gzip", { "If-None-Match": `"other", W/${packed}` });
    const asWritten = await ask("gzip", { "If-None-Match": plain });
    const inOther = await ask("zstd", { "If-None-Match": packed });

    expect(plain).toMatch(/^"7\.\w+"$/);
    expect(packed).toBe(plain.replace(/"$/, '-gzip"'));
    expect([known.status, known.headers.get("etag")]).toEqual([304, packed]);
    expect(known.headers.get("vary")).toBe("Accept-Encoding");
    expect(known.headers.has("content-encoding")).toBeFalse();
    expect(await known.text()).toBe("");
    expect([asWritten.status, asWritten.headers.get("etag")]).toEqual([304, plain]);
    expect(inOther.status).toBe(200);
  });

  test("has the same headers for HEAD, without a body", async () => {
    await using server = await serveCrates();
    const asked = { headers: { "Accept-Encoding": "zstd" }, decompress: false };

    const read = await server.send("GET", "/v2/long", asked);
    const head = await server.send("HEAD", "/v2/long", asked);

    for (const name of ["content-encoding", "content-length", "etag", "vary", "content-type"]) {
      expect([name, head.headers.get(name)]).toEqual([name, read.headers.get(name)]);
    }
    expect(await head.text()).toBe("");
  });

  test("names both headers that it depends on", async () => {
    await using server = await serveCrates(["https://shop.example"]);

    const answer = await server.send("GET", "/v2/long");

    expect(answer.headers.get("vary")).toBe("Origin, Accept-Encoding");
  });
});

test("a small resource is sent as it is", async () => {
  await using server = await serveCrates();

  const answer = await server.send("GET", "/v2/short", {
    headers: { "Accept-Encoding": "gzip, br, zstd" },
    decompress: false,
  });

  expect(answer.headers.has("content-encoding")).toBeFalse();
  expect(answer.headers.has("vary")).toBeFalse();
  expect(answer.headers.get("etag")).toMatch(/^"7\.\w+"$/);
  expect(await answer.json()).toEqual({ version: 7, text: contents.short });
});

test.each([
  ["long", "identity"],
  ["longer", "zstd"],
])("the response to a write that is %s is sent in %s", async (name, coding) => {
  await using server = await serveCrates();
  const asked = { headers: { "Accept-Encoding": "gzip, br, zstd" }, decompress: false };

  const written = await received(await server.send("POST", `/v2/${name}`, asked));

  expect(written.coding).toBe(coding);
  expect(JSON.parse(written.text)).toMatchObject({ version: 7 });
});

describe.each(["/docs/try", "/openapi.json", "/docs/errors"])("%s", (path) => {
  test("decodes to the same bytes in every coding", async () => {
    await using docs = openDocs();
    const ask = async (coding: string) =>
      received(await docs.ask(path, { headers: { "Accept-Encoding": coding }, decompress: false }));

    const answers = await Promise.all(Object.keys(decoders).map(ask));

    expect(answers.map(({ coding }) => coding)).toEqual(Object.keys(decoders));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map(({ answer }) => answer.headers.get("etag"))).size).toBe(4);
    expect(answers.every(({ answer }) => answer.headers.get("vary") === "Accept-Encoding")).toBe(
      true,
    );
  });

  test("is unchanged only in the coding that the caller has", async () => {
    await using docs = openDocs();
    const headers = { "Accept-Encoding": "br" };
    const etag = (await docs.ask(path, { headers })).headers.get("etag") ?? "";

    const same = await docs.ask(path, { headers: { ...headers, "If-None-Match": etag } });
    const other = await docs.ask(path, {
      headers: { "Accept-Encoding": "identity", "If-None-Match": etag },
    });

    expect([same.status, same.headers.get("etag")]).toEqual([304, etag]);
    expect(other.status).toBe(200);
  });
});
