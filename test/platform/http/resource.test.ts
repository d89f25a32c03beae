// A resource is declared once: its answer, its requests, their readers, and the names of what a change changed.

import { describe, expect, test } from "bun:test";

import Type from "typebox";

import { defineRefusal, Faults } from "#kernel/refusal.ts";
import { field, resource } from "#platform/http/contract/resource.ts";
import { settingsResource } from "#platform/http/contract/settings-resource.ts";
import { at, from, orNull } from "#platform/http/contract/wire.ts";
import { choice, line, nullable, object, whole } from "#platform/http/contract/words.ts";
import { shippingZones } from "#pricing/shipping/tables.ts";

interface Parcel {
  readonly id: string;
  readonly size: "small" | "large";
  readonly weightGrams: number;
  readonly note: string | null;
  readonly dueAt: number | null;
  readonly sender: string;
  readonly version: number;
}

const size = choice(["small", "large"]);
const note = nullable(line(80));
const day = Type.String({ format: "date" });

const parcels = resource<Parcel>()("Parcel", {
  id: Type.String(),
  size: field(size, { given: size, initially: "small" }),
  weight_grams: field(whole(0), {
    given: Type.Number(),
    read: (kilograms, { pointer, faults }) => {
      if (kilograms > 30) faults.add(pointer, "out_of_range", "This is too heavy.");
      return kilograms * 1000;
    },
  }),
  note: field(note, { given: note, initially: null }),
  due_at: field(orNull(at), {
    given: nullable(day),
    read: (given) => (given === null ? null : Date.parse(given)),
    initially: null,
    on: "change",
  }),
  sender: field(line(80), { given: line(80), on: "create" }),
  heavy: from(({ weightGrams }: Parcel) => weightGrams > 20_000, Type.Boolean()),
  version: whole(1),
});

const parcel: Parcel = {
  id: "p_1",
  size: "large",
  weightGrams: 25_000,
  note: null,
  dueAt: 0,
  sender: "Ada",
  version: 1,
};

test("an answer has the fields in the order of the declaration", () => {
  expect(parcels.wire.write(parcel)).toBe(
    '{"id":"p_1","size":"large","weight_grams":25000,"note":null,"due_at":"1970-01-01T00:00:00.000Z",' +
      '"sender":"Ada","heavy":true,"version":1}',
  );
});

test("a request for a new row has what a new row may have, and needs what has no start", () => {
  const schema = object(parcels.newMembers);

  expect(Object.keys(schema.properties)).toEqual(["size", "weight_grams", "note", "sender"]);
  expect(schema).toMatchObject({ required: ["weight_grams", "sender"] });
});

test("a request for a change has what may change, and needs nothing of it", () => {
  const schema = object(parcels.changeMembers);

  expect(Object.keys(schema.properties)).toEqual(["size", "weight_grams", "note", "due_at"]);
  expect(schema).not.toHaveProperty("required");
});

test("a new row has what is given, and the start of every other column", () => {
  const row = parcels.readNew({ weight_grams: 2, sender: "Ada" }, new Faults());

  expect(row).toEqual({ size: "small", weightGrams: 2000, note: null, dueAt: null, sender: "Ada" });
});

test("a change has the columns of what is given alone", () => {
  const change = parcels.readChange({ note: null, due_at: "1970-01-02" }, new Faults());

  expect(change).toEqual({ note: null, dueAt: 86_400_000 });
});

test("a reader adds its faults at the field", () => {
  const faults = new Faults();

  parcels.readChange({ weight_grams: 31 }, faults);

  expect(faults.list).toEqual([
    { pointer: "/weight_grams", code: "out_of_range", detail: "This is too heavy." },
  ]);
});

test("what changed is named as on the wire, and values are compared by what they are", () => {
  const places = resource<{ readonly knownPlaces: readonly string[]; readonly openAt: number }>()(
    "Place",
    {
      known_places: field(Type.Array(Type.String()), { given: Type.Array(Type.String()) }),
      open_at: field(whole(), { given: whole() }),
    },
  );

  const names = places.changedNames(
    { knownPlaces: ["a"], openAt: 1 },
    { knownPlaces: ["a"], openAt: 2 },
  );

  expect(names).toEqual(["open_at"]);
});

/** What the compiler refuses: nothing here is called. */
describe("a declaration is refused by the compiler", () => {
  const declare = resource<Parcel>();
  const refused = (declaration: () => unknown) => expect(declaration).toBeFunction();

  test("where a field has no column", () => {
    // @ts-expect-error a parcel has no color
    refused(() => declare("Parcel", { color: field(note, { given: note }) }));
  });

  test("where the column is of another type", () => {
    // @ts-expect-error a note is no number
    refused(() => declare("Parcel", { note: field(nullable(whole()), { given: whole() }) }));
  });

  test("where the column is nullable and the field is not, or the other way round", () => {
    // @ts-expect-error a note may be null
    refused(() => declare("Parcel", { note: field(line(80), { given: line(80) }) }));
    // @ts-expect-error a sender is never null
    refused(() => declare("Parcel", { sender: field(note, { given: note }) }));
  });

  test("where what is given is not what is stored, and nothing reads it", () => {
    // @ts-expect-error a day is stored as a number
    refused(() => field(at, { given: day }));
    // @ts-expect-error the reader answers the day as it is given
    refused(() => field(at, { given: day, read: (given) => given }));
  });

  test("where a new row would start with a value of another type", () => {
    // @ts-expect-error a number starts as a text
    refused(() => field(whole(0), { given: whole(0), initially: "none" }));
  });

  test("where a new row would have no value", () => {
    // @ts-expect-error a new row is not given it, and has no start
    refused(() => field(whole(0), { given: whole(0), on: "change" }));
  });

  test("where a new row lacks what it needs", () => {
    // @ts-expect-error it has no weight
    refused(() => parcels.readNew({ sender: "Ada" }, new Faults()));
  });

  test("where a change has a field that is given once", () => {
    // @ts-expect-error the sender stays
    refused(() => parcels.readChange({ sender: "Ada" }, new Faults()));
  });

  test("where a column of settings has no field", () => {
    const terms = {
      kind: "shippingZone" as const,
      notFound: defineRefusal("zone_not_found", "not_found", "There is no such zone."),
      path: "/v2/zones",
      tag: "Zones",
      scope: "zones",
      says: { create: "", update: "", remove: "" },
      limit: { most: 9, refusal: defineRefusal("zone_limit", "conflict", "There are nine.") },
      lock: async () => {},
    };
    const name = field(line(80), { given: line(80) });

    // @ts-expect-error a zone has places
    refused(() => settingsResource(shippingZones, { name }, terms));
  });
});
