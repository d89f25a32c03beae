// A resource is declared once, and what leaves is what the declaration lists: as a value and as text.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";
import Type from "typebox";

import { type CurrencyCode, currencyCodes, isCurrency } from "#kernel/currency.ts";
import { MAX_AMOUNT_MINOR } from "#kernel/money.ts";
import {
  amountOf,
  amountOrNullOf,
  at,
  from,
  inBothUnits,
  list,
  orNull,
  shape,
  wire,
} from "#platform/http/contract/wire.ts";
import { choice, metadata, nullable, whole } from "#platform/http/contract/words.ts";

interface Item {
  readonly label: string;
  readonly boughtFor: string;
}

interface Parcel {
  readonly id: string;
  readonly status: "open" | "sent";
  readonly weightGrams: number | null;
  readonly isHeavy: boolean;
  readonly tags: readonly string[];
  readonly notes: Readonly<Record<string, unknown>>;
  readonly currency: CurrencyCode;
  readonly feeMinor: number;
  readonly insuredMinor: number | null;
  readonly items: readonly Item[];
  readonly sender: Item | null;
  readonly sentAt: number | null;
  readonly createdAt: number;
  readonly secret: string;
}

const itemShape = shape<Item>()({ label: Type.String() });

const parcelWire = wire<Parcel>()("Parcel", {
  id: Type.String(),
  status: choice(["open", "sent"]),
  weight_grams: nullable(whole(0)),
  is_heavy: Type.Boolean(),
  tags: Type.Array(Type.String()),
  notes: metadata,
  ...inBothUnits("fee", (parcel: Parcel) => parcel.feeMinor),
  rest: amountOf((parcel: Parcel) => -parcel.feeMinor),
  insured: amountOrNullOf((parcel: Parcel) => parcel.insuredMinor),
  items: list(itemShape, { maxItems: 9 }),
  first: from((parcel: Parcel) => parcel.items[0] ?? null, orNull(itemShape)),
  count: from((parcel: Parcel) => parcel.items.length, whole(0)),
  sender: orNull(itemShape),
  sent_at: orNull(at),
  created_at: at,
});

const parcel: Parcel = {
  id: "p_1",
  status: "sent",
  weightGrams: null,
  isHeavy: false,
  tags: ["a"],
  notes: {},
  currency: "KWD",
  feeMinor: 12_345,
  insuredMinor: null,
  items: [{ label: "Mug", boughtFor: "3.20" }],
  sender: { label: "Ada", boughtFor: "" },
  sentAt: null,
  createdAt: 0,
  secret: "s3cret",
};

const item = fc.record({ label: fc.string({ unit: "binary" }), boughtFor: fc.string() });
const anyParcel: fc.Arbitrary<Parcel> = fc.record({
  id: fc.string({ unit: "binary" }),
  status: fc.constantFrom("open", "sent"),
  weightGrams: fc.option(fc.maxSafeNat()),
  isHeavy: fc.boolean(),
  tags: fc.array(fc.string()),
  notes: fc.dictionary(fc.string(), fc.jsonValue()),
  currency: fc.constantFrom(...currencyCodes.filter(isCurrency)),
  feeMinor: fc.integer({ min: 0, max: MAX_AMOUNT_MINOR }),
  insuredMinor: fc.option(fc.integer({ min: 0, max: MAX_AMOUNT_MINOR })),
  items: fc.array(item, { maxLength: 3 }),
  sender: fc.option(item),
  sentAt: fc.option(fc.nat()),
  createdAt: fc.nat(),
  secret: fc.string(),
});

test("fields take what the row has under their names, in the order of the declaration", () => {
  expect(parcelWire.write(parcel)).toBe(
    '{"id":"p_1","status":"sent","weight_grams":null,"is_heavy":false,"tags":["a"],"notes":{},' +
      '"fee":12.345,"fee_minor":12345,"rest":-12.345,"insured":null,"items":[{"label":"Mug"}],"first":{"label":"Mug"},' +
      '"count":1,"sender":{"label":"Ada"},"sent_at":null,"created_at":"1970-01-01T00:00:00.000Z"}',
  );
});

test("a property that is not listed never leaves, at no depth", () => {
  const answers = [parcelWire.write(parcel), JSON.stringify(parcelWire.present(parcel))];

  expect(answers.filter((text) => /s3cret|bought|3\.20/.test(text))).toEqual([]);
});

test("the text is what JSON.stringify makes of what is presented", () => {
  fc.assert(
    fc.property(anyParcel, (any) => {
      expect(parcelWire.write(any)).toBe(JSON.stringify(parcelWire.present(any)));
    }),
  );
});

test("the schema lists the same fields, and has the resource's name", () => {
  expect(Object.keys(parcelWire.schema.properties)).toEqual(
    Object.keys(parcelWire.present(parcel)),
  );
  expect(parcelWire.schema).toMatchObject({ "x-component": "Parcel" });
  expect(parcelWire.schema.properties.items).toMatchObject({ maxItems: 9 });
  expect(itemShape.schema).not.toHaveProperty("x-component");
});

describe("a declaration is refused", () => {
  test("where an object would leave as it is stored", () => {
    const loose = Type.Array(Type.Object({ label: Type.String() }));

    expect(() => wire<Parcel>()("Parcel", { items: loose })).toThrow("is a wire or a shape");
  });

  test("by the compiler where the row has no such property, or has it in another type", () => {
    // @ts-expect-error no row has a color
    wire<Parcel>()("Parcel", { color: Type.String() });
    // @ts-expect-error a weight may be null
    wire<Parcel>()("Parcel", { weight_grams: whole(0) });
    // @ts-expect-error an instant is stored as a number
    wire<Parcel>()("Parcel", { created_at: Type.String() });
    // @ts-expect-error the currency of an item is not known
    shape<Item>()({ ...inBothUnits("fee", (one: Parcel) => one.feeMinor) });
  });
});
