// What an authority may answer, and what becomes of it: a certificate that fits, or a fault in words.

import { expect, test } from "bun:test";

import { selfSigned } from "#platform/acme/der.ts";
import { keyText, newKey, readKey } from "#platform/acme/jws.ts";
import { Authority } from "#platform/acme/order.ts";
import type { Ask } from "#platform/net/ask.ts";

const AT = "https://ca.example";
const NAMES = ["shop.example.org"];
const NOW = Date.UTC(2026, 10, 29);

interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | object;
}

/** Asks an authority that answers so, by path; an order needs no challenge. */
function authorityThat(given: Readonly<Record<string, Said>>): Ask {
  const usual: Readonly<Record<string, Said>> = {
    "/dir": {
      body: { newNonce: `${AT}/nonce`, newAccount: `${AT}/account`, newOrder: `${AT}/new` },
    },
    "/nonce": { status: 204, body: "" },
    "/account": { status: 201, headers: { location: `${AT}/account/1` }, body: {} },
    "/new": {
      status: 201,
      headers: { location: `${AT}/order` },
      body: { authorizations: [], finalize: `${AT}/finalize` },
    },
    "/finalize": { body: {} },
    "/order": { body: { status: "valid", certificate: `${AT}/certificate` } },
  };
  return async ({ url }) => {
    const {
      status = 200,
      headers = {},
      body,
    } = { ...usual, ...given }[new URL(url).pathname] ?? {
      status: 404,
      body: "",
    };
    return {
      failure: null,
      status,
      headers: new Headers({ "replay-nonce": "n", ...headers }),
      bytes: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
      address: "192.0.2.1",
    };
  };
}

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
