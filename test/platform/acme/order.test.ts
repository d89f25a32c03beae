// What an authority may answer, and what becomes of it: a certificate that fits, or a fault in words.

import { expect, test } from "bun:test";

import { selfSigned } from "#platform/acme/der.ts";
import { keyText, newKey, readKey } from "#platform/acme/jws.ts";
import { Authority } from "#platform/acme/order.ts";

import { AT, authorityThat, type Said } from "./an-authority.ts";

const NAMES = ["shop.example.org"];
const NOW = Date.UTC(2026, 10, 29);

/** The chain, or the fault with which the order ends. */
async function ordered(given: Readonly<Record<string, Said>>, key = newKey()): Promise<unknown> {
  const authority = new Authority({
    ask: authorityThat(given),
    directory: `${AT}/dir`,
    key: newKey(),
    account: null,
    signal: new AbortController().signal,
  });
  try {
    await authority.openAccount("keeper@example.org");
    return await authority.order(NAMES, { key, put: async () => {} });
  } catch (error) {
    return error;
  }
}

const certificateOf = (names: readonly string[], key = newKey()) => selfSigned(names, key, NOW);

test("a certificate of the key and the names is taken", async () => {
  const key = newKey();
  const chain = certificateOf(NAMES, key);

  expect(await ordered({ "/certificate": { body: chain } }, key)).toBe(chain);
});

test("one of another key, or without a name, is none", async () => {
  const key = newKey();
  const without = certificateOf(["other.example.org"], key);

  expect(await ordered({ "/certificate": { body: certificateOf(NAMES) } }, key)).toMatchObject({
    message: "The authority sent a certificate of another key.",
  });
  expect(await ordered({ "/certificate": { body: without } }, key)).toMatchObject({
    message: "The authority sent a certificate that is not for shop.example.org.",
  });
  expect(await ordered({ "/certificate": { body: "<html>" } }, key)).toMatchObject({
    message: "The authority sent no certificate.",
  });
});

test("an answer of more than 64 KiB is none", async () => {
  expect(await ordered({ "/dir": { body: "x".repeat(65_536) } })).toMatchObject({
    message: "The authority's answer has more than 64 KiB.",
  });
});

test.each([
  ["3600", 3_600_000],
  ["soon", 0],
])("a limit says how long to wait: Retry-After %s", async (text, retryAfterMs) => {
  const body = { type: "urn:ietf:params:acme:error:rateLimited", detail: "too many certificates" };

  const fault = await ordered({
    "/new": { status: 429, headers: { "retry-after": text }, body },
  });

  expect(fault).toMatchObject({
    message: "rateLimited: too many certificates",
    type: "rateLimited",
    retryAfterMs,
  });
});

test("a name that the authority does not reach is told in its words", async () => {
  const error = { type: "urn:ietf:params:acme:error:dns", detail: "no such host" };
  const body = { status: "invalid", challenges: [{ type: "http-01", error }] };

  expect(await ordered({ "/order": { body } })).toMatchObject({ message: "dns: no such host" });
});

test("a nonce that is refused for good ends the order", async () => {
  const body = { type: "urn:ietf:params:acme:error:badNonce", detail: "unknown nonce" };

  expect(await ordered({ "/new": { status: 400, body } })).toMatchObject({ type: "badNonce" });
});

test("a key is read as it was written", () => {
  const key = newKey();

  expect(readKey(keyText(key)).equals(key)).toBe(true);
});
