// The tokens of links on plain data: what one names, until when, and for which purpose.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import type { Id } from "#kernel/id.ts";
import { Refusal } from "#kernel/refusal.ts";
import { type LinkPurpose, readToken, signToken } from "#sales/links/link-token.ts";

const cartId: Id<"cart"> = "cart_01h455vb4pex5vsknk084sn02q";
const orderId: Id<"order"> = "ord_01h455vb4pex5vsknk084sn02q";
const paymentId: Id<"payment"> = "pay_01h455vb4pex5vsknk084sn02q";
const secret = "a secret";
const purpose = "recovery link";
const YEAR_MS = 365 * 86_400_000;
const token = signToken({ purpose, subject: cartId, until: 1000 }, secret);

/** Reads the token of a recovery link. */
const read = (text: string, now = 0) => readToken(text, { purposes: [purpose], secret, now });

describe("a token", () => {
  test.each([cartId, orderId, paymentId])("names %s", (subject) => {
    const signed = signToken({ purpose, subject, until: 1000 }, secret);

    expect(read(signed, 999)).toEqual({ purpose, subject });
  });

  test("expires", () => {
    expect(codeOf(() => read(token, 1000))).toBe("recovery_link_expired");
  });

  test.each([
    ["for a hundred years", signToken({ purpose, subject: cartId, until: 100 * YEAR_MS }, secret)],
    ["of another shop", signToken({ purpose, subject: cartId, until: 1000 }, "another secret")],
    ["changed to another cart", token.replace("02q", "02p")],
    ["with a later expiry", token.replace(".rs.", ".rt.")],
    ["without a signature", token.slice(0, token.lastIndexOf("."))],
    ["with a longer signature", `${token}A`],
    ["for another kind of id", signedByHand(`cus_${cartId.slice(5)}.rs`)],
    ["of no characters", ""],
  ])("%s is invalid", (_, forged) => {
    expect(codeOf(() => read(forged))).toBe("recovery_link_invalid");
  });

  test("is invalid if any character is changed", () => {
    const places = fc.nat({ max: token.length - 1 });

    fc.assert(
      fc.property(places, fc.constantFrom(..."0aZ._-é"), (at, character) => {
        const altered = token.slice(0, at) + character + token.slice(at + 1);
        fc.pre(altered !== token);
        expect(() => read(altered)).toThrow(Refusal);
      }),
    );
  });

  const all: readonly LinkPurpose[] = [
    "recovery link",
    "order link",
    "order link without contact",
    "return link",
  ];

  test.each(all)("of the purpose `%s` is invalid for every other purpose", (one) => {
    const signed = signToken({ purpose: one, subject: orderId, until: 1000 }, secret);
    const others = all.filter((other) => other !== one);

    expect(readToken(signed, { purposes: all, secret, now: 0 }).purpose).toBe(one);
    expect(codeOf(() => readToken(signed, { purposes: others, secret, now: 0 }))).toBe(
      "recovery_link_invalid",
    );
  });
});

/** What is signed of a recovery link, written out: links that were sent before must stay valid. */
function signedByHand(claim: string): string {
  const hmac = new Bun.CryptoHasher("sha256", secret).update(`duka recovery link\n${claim}`);
  return `${claim}.${hmac.digest("base64url")}`;
}

test("a link that was sent before stays valid", () => {
  expect(read(signedByHand(`${cartId}.rs`)).subject).toBe(cartId);
});

function codeOf(work: () => unknown): string | null {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error.definition.code;
    throw error;
  }
  return null;
}
