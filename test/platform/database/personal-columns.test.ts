// A column that can hold words about a customer says whether it is personal, and an erasure takes what is.

import { expect, test } from "bun:test";

import { bool, int, json, text, time } from "#platform/database/kit.ts";
import {
  hidden,
  id,
  isPlain,
  keeping,
  leftOf,
  personal,
  plain,
  record,
  redacted,
  type RowOf,
} from "#platform/database/record.ts";

interface Place {
  readonly street: string | null;
  readonly country: string | null;
}

const letters = record(
  "letters",
  {
    id: id("customer").primaryKey(),
    channel: plain(text().notNull()),
    state: text().$type<"sent" | "lost">().notNull(),
    grams: int().notNull(),
    sender: personal(text()),
    greeting: personal(text().notNull(), () => "Hello"),
    place: personal(json().$type<Place>(), keeping("country")),
    tags: personal(json().$type<readonly string[]>().notNull(), () => []),
    isUrgent: personal(bool().notNull(), () => false),
    readAt: personal(time()),
    stamps: plain(json().$type<readonly string[]>().notNull()),
  },
  () => [],
);

const letter: RowOf<typeof letters> = {
  id: "cus_01h455vb4pex5vsknk084sn02q",
  channel: "post",
  state: "sent",
  grams: 20,
  sender: "Ada",
  greeting: "Dear Grace",
  place: { street: "12 Ring Road", country: "GH" },
  tags: ["vip"],
  isUrgent: true,
  readAt: 1,
  stamps: ["GH"],
};
const left = {
  ...letter,
  sender: null,
  greeting: "Hello",
  place: { street: null, country: "GH" },
  tags: [],
  isUrgent: false,
  readAt: null,
};

test("an erasure leaves null in personal columns, or what they say, and all others as they are", () => {
  expect(redacted(letters, letter)).toEqual(left);
});

test("a row that was redacted stays as it is", () => {
  expect(redacted(letters, left)).toEqual(left);
  expect(redacted(letters, { ...letter, place: null }).place).toBe(null);
});

test("a value is left by the column that its property names", () => {
  const leaves = ["sender", "channel", "unknown"].map((name) => leftOf(letters, name, "Ada"));

  expect(leaves).toEqual([null, "Ada", "Ada"]);
});

test("a column is plain if it has nothing to erase, and a property without a column is none", () => {
  const names = ["channel", "state", "sender", "toString"];

  expect(names.filter((name) => isPlain(letters, name))).toEqual(["channel", "state"]);
});

test("a column of free text or JSON that is undecided does not compile", () => {
  // @ts-expect-error A text: declare it with plain() or personal().
  record("undecided", { note: text() }, () => []);
  // @ts-expect-error JSON, whatever its type is.
  record("undecided", { lines: json().$type<readonly number[]>().notNull() }, () => []);
  // @ts-expect-error A hidden column is undecided as well.
  record("undecided", { secret: hidden(text().notNull()) }, () => []);
  record("decided", { secret: hidden(plain(text().notNull())) }, () => []);
  record(
    "decided",
    { kind: text().$type<"new" | "used">(), at: time(), of: id("order") },
    () => [],
  );
});

test("a personal column that takes no null does not compile without what is left in it", () => {
  // @ts-expect-error It has no null to leave.
  personal(text().notNull());
  // @ts-expect-error What is left is of the type of the column.
  personal(text().notNull(), () => null);
  // @ts-expect-error The column would take no null any more.
  record("letters", { sender: personal(text()).notNull() }, () => []);
  personal(text(), () => null);
  personal(text().primaryKey(), () => "");
});
