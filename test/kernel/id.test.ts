// Ids say what they name and sort by the instant they were made for; the outside truth is TypeID 0.3.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import {
  defineKind,
  firstIdAt,
  type Id,
  type IdKind,
  instantOf,
  isId,
  newId,
  newRequestId,
} from "#kernel/id.ts";

const RUNS = { numRuns: 1_000 };
const FIELD_MAX_MS = 2 ** 48 - 1;
const kinds: readonly IdKind[] = ["store", "product", "cart", "order", "lineItem", "event", "key"];
const anyKind = fc.constantFrom(...kinds);
const anyInstant = fc.integer({ min: 0, max: FIELD_MAX_MS - 1 });

/** The number that 26 base32 digits stand for, read by another way than the one that wrote them. */
function uuidOf(id: string): string {
  const digits = id.slice(id.indexOf("_") + 1);
  const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
  const value = [...digits].reduce((sum, digit) => sum * 32n + BigInt(alphabet.indexOf(digit)), 0n);
  return value.toString(16).padStart(32, "0");
}

describe("a new id", () => {
  test("has the prefix of its kind and 26 digits", () => {
    expect(newId("order", 1_767_225_600_000)).toMatch(/^ord_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  });

  test("is a UUID of version 7 that carries the instant", () => {
    fc.assert(
      fc.property(anyKind, anyInstant, (kind, atMs) => {
        const uuid = uuidOf(newId(kind, atMs));

        expect(uuid).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
        expect(Number.parseInt(uuid.slice(0, 12), 16)).toBe(atMs);
      }),
      RUNS,
    );
  });

  test("is an id of its kind", () => {
    fc.assert(
      fc.property(anyKind, anyInstant, (kind, atMs) => {
        expect(isId(kind, newId(kind, atMs))).toBe(true);
      }),
      RUNS,
    );
  });

  test("comes after every id of an earlier instant", () => {
    fc.assert(
      fc.property(anyInstant, anyInstant, (left, right) => {
        fc.pre(left !== right);

        expect(newId("order", left) < newId("order", right)).toBe(left < right);
      }),
      RUNS,
    );
  });

  test("comes after those made before it in the same millisecond", () => {
    const made = Array.from({ length: 20_000 }, () => newId("movement", 1_767_225_600_000));

    expect(made).toEqual(made.toSorted());
    expect(new Set(made).size).toBe(made.length);
  });

  test("of no whole instant is a bug", () => {
    expect(() => newId("order", 1.5)).toThrow();
    expect(() => newId("order", -1)).toThrow();
    expect(() => newId("order", Number.NaN)).toThrow();
  });
});

describe("a kind", () => {
  test("of a name that another has is stopped with both", () => {
    expect(() => defineKind("order", "ord")).toThrow(
      "Two kinds of ids: order is ord_, and order is ord_.",
    );
  });

  test("of a prefix that another has is stopped with both", () => {
    // @ts-expect-error: no noun has this kind.
    expect(() => defineKind("ordinal", "ord")).toThrow(
      "Two kinds of ids: ordinal is ord_, and order is ord_.",
    );
  });

  test("that no noun defined does not compile, and is named where it is used", () => {
    // @ts-expect-error: no noun has this kind.
    expect(() => newId("parcel", 0)).toThrow("The kind of ids parcel is not defined yet.");
    // @ts-expect-error: no noun has this kind.
    expect(() => isId("parcel", "par_1")).toThrow("The kind of ids parcel is not defined yet.");
  });

  test("has the prefix that its noun declares, and no other", () => {
    // @ts-expect-error: an order is ord_.
    const id: Id<"order"> = "cart_01h455vb4pex5vsknk084sn02q";

    expect(isId("order", id)).toBe(false);
  });
});

describe("the first id of an instant", () => {
  test("begins as TypeID's own example for that instant does", () => {
    // 01890a5d-ac96-774b-bcce-b302099a8057 is 01h455vb4pex5vsknk084sn02q in the specification.
    expect(firstIdAt("order", 0x0189_0a5d_ac96)).toBe("ord_01h455vb4p0000000000000000");
    expect(uuidOf("ord_01h455vb4pex5vsknk084sn02q")).toBe("01890a5dac96774bbcceb302099a8057");
  });

  test("is below every id of that instant and above every earlier one", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: FIELD_MAX_MS }), (atMs) => {
        const first = firstIdAt("order", atMs);

        expect(newId("order", atMs) > first).toBe(true);
        expect(newId("order", atMs - 1) < first).toBe(true);
      }),
      RUNS,
    );
  });

  test("of a fraction of a millisecond is that of the next whole one", () => {
    expect(firstIdAt("order", 1_000.25)).toBe(firstIdAt("order", 1_001));
  });

  test("before the epoch is the least of all", () => {
    expect(firstIdAt("order", -5)).toBe("ord_00000000000000000000000000");
  });
});

describe("a text", () => {
  test("of the right shape is an id", () => {
    expect(isId("order", "ord_01h455vb4pex5vsknk084sn02q")).toBe(true);
    expect(isId("order", "ord_7zzzzzzzzzzzzzzzzzzzzzzzzz")).toBe(true);
  });

  test.each([
    ["is empty", ""],
    ["is the prefix alone", "ord_"],
    ["has another prefix", "prod_01h455vb4pex5vsknk084sn02q"],
    ["has another prefix of the same length", "pay_01h455vb4pex5vsknk084sn02q"],
    ["has no prefix", "01h455vb4pex5vsknk084sn02q"],
    ["has no underscore", "ord-01h455vb4pex5vsknk084sn02q"],
    ["is a digit short", "ord_01h455vb4pex5vsknk084sn02"],
    ["has a digit more", "ord_01h455vb4pex5vsknk084sn02qq"],
    ["ends in a line break", "ord_01h455vb4pex5vsknk084sn02\n"],
    ["is in capitals", "ord_01H455VB4PEX5VSKNK084SN02Q"],
    ["has a capital prefix", "ORD_01h455vb4pex5vsknk084sn02q"],
    ["passes 128 bits", "ord_81h455vb4pex5vsknk084sn02q"],
    ["has the letter i", "ord_01h455vb4pex5vsknk084sn02i"],
    ["has the letter l", "ord_01h455vb4pex5vsknk084sn02l"],
    ["has the letter o", "ord_01h455vb4pex5vsknk084sn02o"],
    ["has the letter u", "ord_01h455vb4pex5vsknk084sn02u"],
  ])("that %s is no id of an order", (_why, text) => {
    expect(isId("order", text)).toBe(false);
  });
});

test("ids of one instant sort in the order they were made, whatever is made in between", () => {
  const noon = Date.UTC(2026, 0, 5, 12);
  const made = Array.from({ length: 2000 }, (_, index) => {
    newId("order", noon + (index % 7) + 1);
    return newId("order", noon);
  });

  const outOfOrder = made.filter((id, index) => index > 0 && id <= (made[index - 1] ?? ""));
  expect(outOfOrder).toEqual([]);
});

describe("the last 62 bits of an id", () => {
  const noon = Date.UTC(2026, 0, 7, 12);
  const randomBits = (id: string) =>
    (BigInt(`0x${uuidOf(id)}`) & (2n ** 62n - 1n)).toString(2).padStart(62, "0");
  /** How often each bit differs from the same bit of the id before it. */
  const changesOf = (ids: readonly string[]) => {
    const bits = ids.map(randomBits);
    return Array.from(
      { length: 62 },
      (_, at) => bits.filter((one, index) => index > 0 && one[at] !== bits[index - 1]?.[at]).length,
    );
  };

  test.each([
    ["of the same instant", 0],
    ["of another instant", 1],
  ])("tell nothing about the next id %s", (_which, stepMs) => {
    const made = Array.from({ length: 1001 }, (_, index) =>
      newId("order", noon + 60_000 * stepMs + index * stepMs),
    );

    const changes = changesOf(made);

    expect(Math.min(...changes)).toBeGreaterThan(350);
    expect(Math.max(...changes)).toBeLessThan(650);
  });
});

describe("the counter of an id", () => {
  const noon = Date.UTC(2026, 0, 6, 12);
  const counterOf = (id: string) => Number.parseInt(uuidOf(id).slice(13, 16), 16);

  test("starts at random for each instant", () => {
    const starts = Array.from({ length: 200 }, (_, index) =>
      counterOf(newId("order", noon + index)),
    );

    expect(new Set(starts).size).toBeGreaterThan(150);
  });

  test("is not in the ids of requests, which do not tell in which order they were made", () => {
    const made = Array.from({ length: 1_000 }, newRequestId);

    expect(made).not.toEqual(made.toSorted());
  });
});

test("an id tells the instant it was made for", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (instant) => {
      expect(instantOf(newId("delivery", instant))).toBe(instant);
    }),
  );
});
