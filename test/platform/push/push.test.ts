// Messages to browsers: encrypted as RFC 8291 says, and signed as RFC 8292 says.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { areUsableKeys, encryptPush, sealRecord } from "#platform/push/encrypt.ts";
import { newPushKeys, pushKeysOf, vapidHeader } from "#platform/push/vapid.ts";

import { isSignedBy, newBrowserKeys } from "../../support/push-receiver.ts";

const bytes = (text: string) => Buffer.from(text, "base64url");

describe("the example of RFC 8291", () => {
  test("is encrypted to its very bytes", () => {
    const keys = {
      p256dh:
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    };
    const text = Buffer.from("When I grow up, I want to be a watermelon\u0002");

    const body = sealRecord(keys, text, {
      salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
      privateKey: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
    });

    expect(Buffer.from(body).toString("base64url")).toBe(
      "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
    );
  });
});

describe("the example of RFC 8292", () => {
  test("has a signature that is checked as ours is", () => {
    const header =
      "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs";

    expect(claimsOf(header)).toEqual({
      aud: "https://push.example.net",
      exp: 1_453_523_768,
      sub: "mailto:push@example.com",
    });
  });

  test("is made with the key of the shop, for the origin of the service and half a day", () => {
    const keys = newPushKeys();
    const now = Date.UTC(2026, 10, 30);

    const header = vapidHeader(pushKeysOf(keys.privateKey), {
      endpoint: "https://push.example.net/v1/send?a=b",
      contact: "mailto:shop@example.com",
      now,
    });

    expect(header.endsWith(`, k=${keys.publicKey}`)).toBe(true);
    expect(claimsOf(header)).toEqual({
      aud: "https://push.example.net",
      exp: now / 1_000 + 12 * 3_600,
      sub: "mailto:shop@example.com",
    });
  });
});

describe("a message", () => {
  test("is read by the browser that it is for, whatever it says", () => {
    const browser = newBrowserKeys();
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        const body = encryptPush(browser.keys, text);
        expect(browser.decrypt(body)).toBe(text);
        // Header of 86 bytes, then steps of 512.
        expect((body.length - 86) % 512).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  test("is not read by another browser, and not once a byte was changed", () => {
    const [browser, other] = [newBrowserKeys(), newBrowserKeys()];
    const body = encryptPush(browser.keys, "New order 1042");
    const changed = body.map((byte, at) => (at === body.length - 1 ? byte ^ 1 : byte));

    expect(() => other.decrypt(body)).toThrow();
    expect(() => browser.decrypt(changed)).toThrow();
  });
});

describe("keys of a browser", () => {
  const { keys } = newBrowserKeys();
  const offCurve = Buffer.from(bytes(keys.p256dh)).fill(7, 40);

  const cut = (text: string, from: number, to?: number) =>
    bytes(text).subarray(from, to).toString("base64url");

  test.each([
    ["a point of the curve and 16 bytes", true, keys],
    ["a point beside the curve", false, { ...keys, p256dh: offCurve.toString("base64url") }],
    ["half a point", false, { ...keys, p256dh: cut(keys.p256dh, 0, 33) }],
    ["nothing", false, { p256dh: "", auth: "" }],
    ["a secret of 15 bytes", false, { ...keys, auth: cut(keys.auth, 1) }],
  ] as const)("that are %s are usable: %s", (_, isUsable, given) => {
    expect(areUsableKeys(given)).toBe(isUsable);
  });
});

/** The claims of the token in the header, once its signature is found to be right. */
function claimsOf(header: string): unknown {
  const [, head = "", claims = "", signature = "", k = ""] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? [];
  expect(isSignedBy(k, `${head}.${claims}`, signature)).toBe(true);
  return JSON.parse(bytes(claims).toString());
}
