// A life table is the whole truth: the arrows it has and no others, whatever the action is called.

import { describe, expect, test } from "bun:test";

import { allowedActions, arrow, machine } from "#kernel/machine.ts";

// prettier-ignore
const parcelLife = machine({
  packed:  { send: ["sent", "parcel.sent"], unpack: ["unpacked", null] },
  sent:    { lose: ["lost", "parcel.lost"], find: ["sent", null] },
  unpacked: {},
  lost:    { find: ["sent", null] },
});

describe("a life", () => {
  test.each([
    ["packed", "send", { next: "sent", event: "parcel.sent" }],
    ["packed", "unpack", { next: "unpacked", event: null }],
    ["packed", "lose", null],
    ["packed", "find", null],
    ["sent", "send", null],
    ["sent", "unpack", null],
    ["sent", "lose", { next: "lost", event: "parcel.lost" }],
    ["sent", "find", { next: "sent", event: null }],
    ["unpacked", "send", null],
    ["unpacked", "unpack", null],
    ["unpacked", "lose", null],
    ["unpacked", "find", null],
    ["lost", "send", null],
    ["lost", "unpack", null],
    ["lost", "lose", null],
    ["lost", "find", { next: "sent", event: null }],
  ] as const)("from %s by %s", (state, action, expected) => {
    expect(arrow(parcelLife, state, action)).toEqual(expected);
  });

  test("names the actions of a state in the order of the table", () => {
    expect(allowedActions(parcelLife, "packed")).toEqual(["send", "unpack"]);
  });

  test("that is over allows nothing", () => {
    expect(allowedActions(parcelLife, "unpacked")).toEqual([]);
  });

  test("does not take a word of the language for an action", () => {
    // @ts-expect-error no state of this life has the action
    expect(arrow(parcelLife, "packed", "constructor")).toBeNull();
  });

  test("of a state that is not in the table is a bug", () => {
    // @ts-expect-error this life has no such state
    expect(() => arrow(parcelLife, "stolen", "send")).toThrow(TypeError);
    // @ts-expect-error this life has no such state
    expect(() => allowedActions(parcelLife, "stolen")).toThrow(TypeError);
  });

  test("with an arrow into nowhere does not compile", () => {
    // @ts-expect-error there is no row for the state "nowhere"
    const broken = machine({ packed: { send: ["nowhere", null] } });

    expect(allowedActions(broken, "packed")).toEqual(["send"]);
  });
});
