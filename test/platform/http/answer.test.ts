// Refusals as bodies, and the tags of representations.

import { describe, expect, test } from "bun:test";

import type { Fault } from "#kernel/fault.ts";
import { defineRefusal, Refusal } from "#kernel/refusal.ts";
import { expectedVersion } from "#platform/http/calls/bound-route.ts";
import {
  asRefusal,
  entityTag,
  isUnchanged,
  problem,
  statusOfKind,
  versionOfTag,
} from "#platform/http/contract/answer.ts";
import {
  idempotencyInProgress,
  internalError,
  rateLimited,
} from "#platform/http/contract/refusals.ts";

const terms = {
  requestId: "req_1",
  isPublic: false,
  errorsUrl: "https://shop.example/docs/errors",
};
const crateSealed = defineRefusal("crate_sealed", "conflict", "The crate is sealed.");

function bodyOf(refusal: Refusal): unknown {
  return JSON.parse(problem(refusal, terms).text);
}

const faultAt = (pointer: string): Fault => ({ pointer, code: "required", detail: "-" });

describe("a refusal", () => {
  test("has the members of RFC 9457 and ours", () => {
    expect(bodyOf(crateSealed())).toEqual({
      type: "https://shop.example/docs/errors#crate_sealed",
      title: "The crate is sealed.",
      status: 409,
      detail: "The crate is sealed.",
      code: "crate_sealed",
      request_id: "req_1",
      retryable: false,
      errors: [],
    });
  });

  test("says what is particular to this occurrence", () => {
    const refusal = crateSealed({ detail: "Crate 7 is sealed.", members: { on_hand: 7 } });

    expect(bodyOf(refusal)).toMatchObject({ detail: "Crate 7 is sealed.", on_hand: 7 });
  });

  test("carries its headers", () => {
    expect(problem(crateSealed({ headers: { "Retry-After": "1" } }), terms).headers).toEqual({
      "Retry-After": "1",
    });
  });

  test("shows pointers as fragments", () => {
    const faults = ["", "/a~1b", "/é", "/100%", "/#", "/a b"].map(faultAt);

    expect(bodyOf(crateSealed({ faults }))).toMatchObject({
      errors: ["#", "#/a~1b", "#/%C3%A9", "#/100%25", "#/%23", "#/a%20b"].map((pointer) => ({
        pointer,
      })),
    });
  });

  test("shortens a pointer that is longer than any name of ours to a parent", () => {
    const faults = [faultAt(`/lines/0/${"x".repeat(5_000)}`)];

    expect(bodyOf(crateSealed({ faults }))).toMatchObject({ errors: [{ pointer: "#/lines/0" }] });
  });

  test("that is worth another try says so", () => {
    const worthIt = [rateLimited(), internalError(), idempotencyInProgress()];

    expect(worthIt.map(bodyOf)).toMatchObject(worthIt.map(() => ({ retryable: true })));
  });
});

test("a bug becomes a refusal that tells nothing of it", () => {
  const text = problem(asRefusal(new Error("SELECT secret FROM vault")), terms).text;

  expect(JSON.parse(text)).toMatchObject({ status: 500, code: "internal_error", errors: [] });
  expect(text).not.toContain("secret");
});

test("each kind of refusal has a status of its own", () => {
  const statuses = Object.values(statusOfKind);

  expect(new Set(statuses).size).toBe(statuses.length);
});

describe("an entity tag", () => {
  test("changes with the representation although the version stays", () => {
    expect(entityTag(7, '{"available":1}')).not.toBe(entityTag(7, '{"available":2}'));
  });

  test("tells the version it was made of", () => {
    expect(versionOfTag(entityTag(7, "{}"))).toBe(7);
  });
});

describe("If-None-Match", () => {
  test.each([
    ['"7.abc"', true],
    ['W/"7.abc"', true],
    ['"6.x", "7.abc"', true],
    ["*", true],
    ['"7"', false],
    ['"7.abd"', false],
    ["7.abc", false],
    ["", false],
  ])("%s of an unchanged resource: %p", (condition, unchanged) => {
    expect(isUnchanged(condition, '"7.abc"')).toBe(unchanged);
  });

  test("says nothing of an answer without a tag", () => {
    expect(isUnchanged("*", undefined)).toBeFalse();
  });
});

describe("If-Match accepts", () => {
  test.each([
    [null, null],
    ["*", null],
    ['"7"', [7]],
    ['"7.abc"', [7]],
    ['"6.x", "7.abc"', [6, 7]],
    ['"6.x","7"', [6, 7]],
    ['W/"7.abc"', []],
    ['W/"7"', []],
    ['"somebody else\'s"', []],
    ['"a,b", "7"', [7]],
    ['"-7"', []],
  ])("of %s the versions %p", (header, versions) => {
    expect(expectedVersion(header, { isCompared: true })).toEqual(versions);
  });

  test.each(["7", '"7', '7"', "", '"7" "8"', '"7",', ",", 'w/"7"', '"7", 8'])(
    "nothing that is no tag: %s",
    (header) => {
      expect(() => expectedVersion(header, { isCompared: true })).toThrow(Refusal);
    },
  );
});
