// Keys as text: the format that callers and secret scanners rely on, and the typos it detects.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { displayOf, hashOf, keyKinds, makeKey, readKey } from "#shop/keys/api-key.ts";

const RUNS = { numRuns: 500 };
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const anyMode = fc.constantFrom("test" as const, "live" as const);
const anyKind = fc.constantFrom(...keyKinds);
const anyBytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
const anyKey = fc
  .tuple(anyMode, anyKind, anyBytes)
  .map(([mode, kind, bytes]) => makeKey(mode, kind, bytes));
const zeros = new Uint8Array(32);

/** Decodes base62 digits, independently of the encoder under test. */
function numberOf(digits: string): bigint {
  return [...digits].reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n);
}

describe("a key", () => {
  test("has the documented format for any bytes", () => {
    fc.assert(
      fc.property(anyMode, anyKind, anyBytes, (mode, kind, bytes) => {
        const key = makeKey(mode, kind, bytes);

        expect(key).toMatch(/^(test|live)_[sp]k_[0-9A-Za-z]{49}$/);
        expect(readKey(key)).toEqual({ mode });
      }),
      RUNS,
    );
  });

  test("keeps all of its randomness", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const digits = makeKey("test", "secret", bytes).slice("test_sk_".length, -6);

        expect(digits).toHaveLength(43);
        expect(numberOf(digits)).toBe(BigInt(`0x${bytes.toHex()}`));
      }),
      RUNS,
    );
  });

  test("has the same length for the smallest and the largest number", () => {
    const largest = makeKey("test", "secret", new Uint8Array(32).fill(255));

    expect(makeKey("test", "secret", zeros).slice(0, -6)).toBe(`test_sk_${"0".repeat(43)}`);
    expect(numberOf(largest.slice(8, -6))).toBe(2n ** 256n - 1n);
  });

  test("ends in the CRC-32 of everything before it", () => {
    const key = makeKey("live", "secret", zeros);

    expect(numberOf(key.slice(-6))).toBe(BigInt(Bun.hash.crc32(key.slice(0, -6))));
  });

  test("cannot be made of fewer bytes", () => {
    expect(() => makeKey("test", "secret", new Uint8Array(31))).toThrow("31 bytes");
  });

  test("is displayed as its prefix and its last four characters", () => {
    const key = makeKey("test", "secret", zeros);

    expect(displayOf(key)).toBe(`test_sk_…${key.slice(-4)}`);
  });

  test("is stored as its SHA-256", () => {
    expect(hashOf("abc")).toBe("ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
  });
});

describe("a malformed key", () => {
  test("has one character changed", () => {
    const anyChange = fc.tuple(anyKey, fc.nat({ max: 56 }), fc.constantFrom(...DIGITS, "_", " "));
    fc.assert(
      fc.property(anyChange, ([key, at, character]) => {
        fc.pre(key[at] !== character);

        expect(readKey(key.slice(0, at) + character + key.slice(at + 1))).toBeNull();
      }),
      RUNS,
    );
  });

  test("has two neighboring characters swapped", () => {
    fc.assert(
      fc.property(anyKey, fc.nat({ max: 55 }), (key, at) => {
        fc.pre(key[at] !== key[at + 1]);
        const swapped = [key.slice(0, at), key[at + 1], key[at], key.slice(at + 2)].join("");

        expect(readKey(swapped)).toBeNull();
      }),
      RUNS,
    );
  });

  test("has the prefix of the other mode", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(readKey(makeKey("test", "secret", bytes).replace("test", "live"))).toBeNull();
      }),
      RUNS,
    );
  });

  test("has another format", () => {
    const key = makeKey("test", "secret", zeros);
    const texts = [
      "",
      "test_sk_",
      key.slice(1),
      key.slice(0, -1),
      `${key}\n`,
      `${key}0`,
      ` ${key}`,
    ];

    expect(texts.map(readKey)).toEqual(texts.map(() => null));
  });
});
