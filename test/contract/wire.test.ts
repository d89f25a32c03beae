// What clients rely on: `wire.json` has one line for each operation, parameter, body, field and event, so that
// a change shows in review, and a change that breaks a client is named.
// Accept with `ACCEPT_WIRE=1 bun test test/contract/wire.test.ts`.

import { describe, expect, test } from "bun:test";

import { document } from "#interface.ts";

import { withFormerWays } from "./operations.ts";
import { breakingChanges, wireLines } from "./wire-lines.ts";

const FILE = new URL("wire.json", import.meta.url);

const now = withFormerWays(wireLines(JSON.parse(JSON.stringify(document()))));
const accepted: readonly string[] = await Bun.file(FILE).json();

describe("the wire", () => {
  test("is as it was reviewed", async () => {
    if (process.env["ACCEPT_WIRE"] !== undefined) {
      await Bun.write(FILE, `${JSON.stringify(now, null, 1)}\n`);
      return;
    }

    expect(now).toEqual([...accepted]);
  });

  test("breaks no client of the last snapshot", () => {
    expect(breakingChanges(accepted, now)).toEqual([]);
  });
});

const before = [
  "POST /v2/crates",
  "POST /v2/crates <200! object",
  "POST /v2/crates >/label? string",
  "POST /v2/crates >/size! s|l",
  "POST /v2/crates >/marks? array of wet/heavy",
  "POST /v2/crates <200 /id! string",
  "POST /v2/crates <200 /note! string|null",
  "<Crate",
  "<Crate /id! string",
  ">Lid",
  ">Lid /color? string",
  "event crate.packed! CratePackedEvent",
];

describe("a client breaks", () => {
  test.each([
    ["when an operation goes", before.slice(1), ["gone: POST /v2/crates"]],
    [
      "when a field of an answer goes",
      before.filter((line) => !line.includes("/note")),
      ["gone: POST /v2/crates <200 /note! string|null"],
    ],
    [
      "when a shape that gets a name loses a field",
      [
        ...before.filter((line) => !line.includes("<200")),
        "POST /v2/crates <200! Box",
        "<Box",
        "<Box /id! integer",
      ],
      [
        "changed: POST /v2/crates <200 /id! string -> integer",
        "gone: POST /v2/crates <200 /note! string|null",
      ],
    ],
    [
      "when a field of an answer is another type",
      before.map((line) => line.replace("/id! string", "/id! integer")),
      [
        "changed: POST /v2/crates <200 /id! string -> integer",
        "changed: <Crate /id! string -> integer",
      ],
    ],
    [
      "when a field of an answer may be left out",
      before.map((line) => line.replace("<200 /id!", "<200 /id?")),
      ["optional now: POST /v2/crates <200 /id? string"],
    ],
    [
      "when a request needs a new field",
      [...before, "POST /v2/crates >/weight! integer"],
      ["needed now: POST /v2/crates >/weight! integer"],
    ],
    [
      "when a component of requests needs a new field",
      [...before, ">Lid /size! integer"],
      ["needed now: >Lid /size! integer"],
    ],
    [
      "when a request needs a known field",
      before.map((line) => line.replace(">/label?", ">/label!")),
      ["needed now: POST /v2/crates >/label! string"],
    ],
    [
      "when a request may not say what it could",
      before.map((line) => line.replace("s|l", "s")),
      ["changed: POST /v2/crates >/size! s|l -> s"],
    ],
    [
      "when a list of a request may not have what it could",
      before.map((line) => line.replace("wet/heavy", "wet")),
      ["changed: POST /v2/crates >/marks? array of wet/heavy -> array of wet"],
    ],
  ])("%s", (_, after, named) => {
    expect(breakingChanges(before, after)).toEqual(named);
  });
});

describe("no client breaks", () => {
  test.each([
    ["when an answer has a new field", [...before, "POST /v2/crates <200 /new! string"]],
    ["when a request may have a new field", [...before, "POST /v2/crates >/new? string"]],
    ["when there is a new operation", [...before, "PUT /v2/crates", "PUT /v2/crates >/x! string"]],
    ["when there is a new event", [...before, "event crate.lost! CrateLostEvent"]],
    ["when there is a new component", [...before, ">Box", ">Box /x! string"]],
    ["when a request takes more", before.map((line) => line.replace("s|l", "s|l|m"))],
    [
      "when a list of a request takes more",
      before.map((line) => line.replace("wet/heavy", "wet/heavy/fragile")),
    ],
    [
      "when a shape gets a name",
      [
        ...before.filter((line) => !line.includes("<200")),
        "POST /v2/crates <200! Box",
        "<Box",
        "<Box /id! string",
        "<Box /note! string|null",
      ],
    ],
    [
      "when a field of an answer is less",
      before.map((line) => line.replace("string|null", "string")),
    ],
  ])("%s", (_, after) => {
    expect(breakingChanges(before, after)).toEqual([]);
  });
});

describe("an answer of another shape", () => {
  const named = ["POST /v2/crates", "POST /v2/crates <200! Crate", "<Crate", "<Crate /id! string"];
  const opened = (...fields: readonly string[]) => [
    ...named.map((line) => line.replace("<200! Crate", "<200! OpenCrate")),
    ...["", ...fields].map((field) => `<OpenCrate${field}`),
  ];

  test("breaks no client if it has all that it had", () => {
    expect(breakingChanges(named, opened(" /id! string", " /lid? string"))).toEqual([]);
  });

  test.each([[" /lid? string"], [" /id? string"], [" /id! integer"]])(
    "breaks it with%s",
    (field) => {
      expect(breakingChanges(named, opened(field))).toEqual([
        "changed: POST /v2/crates <200! Crate -> object",
      ]);
    },
  );
});
