// What the operator is told about proxies that are not trusted.

import { expect, test } from "bun:test";

import { parseRanges } from "#platform/net/addresses.ts";
import { clientReader } from "#platform/net/client-reader.ts";

function reader() {
  const peers: unknown[] = [];
  const log = { warn: (_: string, details?: object) => peers.push(details) };
  return { peers, read: clientReader(parseRanges(["10.0.0.1"]), log) };
}

const forwarded = new Request("http://localhost/v2/products", {
  headers: { "X-Forwarded-For": "203.0.113.9" },
});

test("a forwarded header of an untrusted peer is logged once", () => {
  const { read, peers } = reader();

  const addresses = [read(forwarded, "192.0.2.1"), read(forwarded, "192.0.2.2")];

  expect(addresses).toEqual(["192.0.2.1", "192.0.2.2"]);
  expect(peers).toEqual([{ peer: "192.0.2.1" }]);
});

test("a forwarded header of a trusted proxy is not logged", () => {
  const { read, peers } = reader();

  expect(read(forwarded, "10.0.0.1")).toBe("203.0.113.9");
  expect(peers).toEqual([]);
});
