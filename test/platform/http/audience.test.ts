// Fields that publishable keys may send and read, as their schema says.

import { expect, test } from "bun:test";

import Type from "typebox";

import type { Fault } from "#kernel/fault.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { publicCheck } from "#platform/http/audience/public-check.ts";
import { publicView } from "#platform/http/audience/public-view.ts";
import { queryReader } from "#platform/http/calls/read-query.ts";
import { at, from, list, orNull, shape, wire } from "#platform/http/contract/wire.ts";
import {
  idOf,
  line,
  metadata,
  nullable,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";

function faultsOf(schema: unknown, value: unknown): string[] {
  const faults: Fault[] = [];
  publicCheck(schema)(value, "", faults);
  return faults.map(({ pointer, code }) => `${pointer} ${code}`);
}

const request = object({
  ...publicFields({
    lines: Type.Array(object({ ...publicFields({ name: line(9) }), price: optional(whole()) })),
    note: optional(nullable(line(9))),
  }),
  tags: optional(Type.Array(line(9))),
  ...publicFields({ consent: optional(Type.Boolean()) }, { values: [true] }),
  ...publicFields({ metadata: optional(metadata) }, { names: "^public_" }),
  ...publicFields({ order_id: optional(nullable(line(9))) }, { required: true }),
});

test("a request of open fields has no faults", () => {
  const sent = { lines: [{ name: "a" }], note: null, consent: true, order_id: "o" };

  expect(faultsOf(request, { ...sent, metadata: { public_a: 1 } })).toEqual([]);
});

test("every secret field, value and name is a fault at its place, all at once", () => {
  const sent = {
    lines: [{ name: "a" }, { name: "b", price: 1 }],
    tags: null,
    consent: false,
    metadata: { public_a: 1, "a/b": 2 },
    order_id: null,
  };

  expect(faultsOf(request, sent)).toEqual([
    "/lines/1/price not_allowed_for_public_key",
    "/tags not_allowed_for_public_key",
    "/consent not_allowed_for_public_key",
    "/metadata/a~1b not_allowed_for_public_key",
    "/order_id required",
  ]);
});

test("a field stays optional when it is opened", () => {
  expect(request.required).toEqual(["lines"]);
});

test.each([[null], [[]], ["text"], [1], [{ lines: "text", metadata: [] }]])(
  "%j has no fault but those of its shape",
  (value) => {
    const schema = object({
      ...publicFields({ lines: Type.Array(request) }),
      ...publicFields({ metadata }),
    });

    expect(faultsOf(schema, value)).toEqual([]);
  },
);

test("a secret parameter is refused to a publishable key and read from a secret one", () => {
  const read = queryReader(
    object({ ...publicFields({ q: optional(line(9)) }), tag: optional(line(9)) }),
  );

  expect(read("?q=a", { isPublic: true })).toEqual({ q: "a" });
  expect(read("?q=a&tag=b", { isPublic: false })).toEqual({ q: "a", tag: "b" });
  expect(() => read("?q=a&tag=b", { isPublic: true })).toThrow(
    expect.objectContaining({
      details: {
        faults: [expect.objectContaining({ parameter: "tag", code: "not_allowed_for_public_key" })],
      },
    }),
  );
});

interface Parcel {
  readonly id: string;
  readonly weight: number;
  readonly owner: string | null;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly left: number;
  readonly madeAt: number;
  readonly parts: readonly Part[];
  readonly first: Part | null;
}

interface Part {
  readonly name: string;
  readonly cost: number | null;
}

const partShape = shape<Part>()({ ...publicFields({ name: line(9) }), cost: nullable(whole()) });

const parcelWire = wire<Parcel>()("Parcel", {
  id: from(() => "cus_01jd2k8m3n4p5q6r7s8t9v0w1x" as const, idOf("customer")),
  weight: whole(0, undefined, { "x-closed": 0 }),
  owner: nullable(line(9)),
  tags: Type.Array(line(9)),
  ...publicFields({ metadata }, { names: "^public_" }),
  ...publicFields({ left: whole() }, { minimum: 0, maximum: 20 }),
  ...publicFields({ made_at: at, parts: list(partShape), first: orNull(partShape) }),
});

const part = { name: "a", cost: 5 };
const parcel: Parcel = {
  id: "",
  weight: 3,
  owner: "Ada",
  tags: ["x"],
  metadata: { public_a: 1, margin: 2 },
  left: 99,
  madeAt: 0,
  parts: [part],
  first: part,
};

test("a stranger is told what is open, and in place of the rest what tells nothing", () => {
  const told = publicView(parcelWire.schema)(parcelWire.present(parcel));

  expect(told).toEqual({
    id: "cus_00000000000000000000000000",
    weight: 0,
    owner: null,
    tags: [],
    metadata: { public_a: 1 },
    left: 20,
    made_at: "1970-01-01T00:00:00.000Z",
    parts: [{ name: "a", cost: null }],
    first: { name: "a", cost: null },
  });
});

test("what is told fits the schema of all", () => {
  const told = publicView(parcelWire.schema)(parcelWire.present({ ...parcel, left: -4 }));

  expect(told).toMatchObject({ left: 0 });
  expect(Object.keys(Object(told))).toEqual(parcelWire.schema.required);
});

test("a secret field that may be absent is left out", () => {
  const view = publicView(object({ ...publicFields({ a: whole() }), b: optional(whole()) }));

  expect(view({ a: 1, b: 2 })).toEqual({ a: 1 });
});

test("a field that is neither open nor can be closed is a fault of its declaration", () => {
  expect(() => publicView(object({ cost: whole() }))).toThrow("cost is neither open");
});
