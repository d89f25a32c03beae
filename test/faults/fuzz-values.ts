// Values for a schema: valid ones, boundary ones, and ones that no schema accepts. Every invented text has a
// mark, so that an answer that repeats it is detected.

import type { Chance } from "./fault.ts";
import { type Json, listOf, objectOf, resolved } from "./fuzz-document.ts";
import type { Memory } from "./fuzz-memory.ts";

/** Begins every invented word. No refusal may contain one: input is never repeated. */
const MARK = "zlo";
/** Letters that occur in no id. */
export const MARKED = /zlo[0-9a-z]{4}/;

/** Long enough to be inconvenient, short enough for a hundred thousand requests. */
const LIST_LENGTH_MAX = 5;
const TEXT_LENGTH_MAX = 600;
const DEPTH_MAX = 6;

/** Texts that some programs misinterpret. */
export const oddTexts: readonly string[] = [
  "",
  " ",
  "\t\n",
  "0",
  "-1",
  "-0.00",
  "1e3",
  "1.005",
  "0x10",
  "99999999999999999999.99",
  "null",
  "true",
  "[]",
  "'; DROP TABLE orders; --",
  '%_\\*"',
  '"',
  "a AND (b",
  "NEAR(",
  "*",
  "../../etc/passwd",
  "..%2f",
  "\0",
  "\u0001\u001f",
  "a\0b",
  "\u202e\u200b\ufeff",
  "e\u0301\u0301\u0301",
  "😀👩‍👩‍👧‍👦",
  "İıſßﬃ",
  "\ud800",
  "x\udfff",
  "__proto__",
  "constructor",
  "toString",
  "{{7*7}}",
  "<script>1</script>",
  "9999-12-31T23:59:59Z",
  "0000-01-01T00:00:00Z",
  "2026-02-30T00:00:00Z",
  "2026-01-05T24:00:00Z",
  "1969-12-31T23:59:59.999Z",
  "2016-12-31T23:59:60Z",
  "cus_01h455vb4pex5vsknk084sn02q",
  "x".repeat(256),
  "é".repeat(3_000),
];

const oddValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  0.1,
  1.005,
  -0.001,
  1e15,
  1e21,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_VALUE,
  -9_007_199_254_740_991,
  [],
  [null],
  [{}],
  [[]],
  ["x", "x"],
  {},
  { "": "" },
  { "a/b~c": 1, " ": null },
  { x: { y: [1] } },
];

/** The only texts in which `#` is itself. */
const colors: readonly string[] = ["#0b6b3a", "#FFffff"];

/** Texts that a pattern or format of the document accepts; `#` is replaced by an invented word. */
const samples: readonly string[] = [
  "refuse",
  "ask",
  "csc_0000000000000000000000",
  "#",
  "#-1",
  "#@shop.invalid",
  "https://shop.invalid/#",
  "http://shop.invalid",
  "2026-01-05T08:00:00Z",
  "2026-03-29T02:30:00.123+02:00",
  "2999-01-01T00:00:00Z",
  "1970-01-01T00:00:00Z",
  "20:00",
  "12.50",
  "0",
  "0.01",
  "3",
  "GH",
  "KE",
  "+233551234980",
  "+233551234981",
  "+233551234985",
  "+233551234987",
  "+233551234990",
  "+233201234567",
  "pm_card_visa",
  "pm_card_visa_chargeDeclined",
  "pm_card_threeDSecure2Required",
  "pm_test_timeoutPaid",
  "pm_test_amountShort",
  "123456",
  "pos",
];

const formats: Readonly<Record<string, RegExp>> = {
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d/,
  email: /^[^@\s]+@[^@\s]+$/,
  uri: /^https?:\/\//,
};

/** The currency of nearly all shops of a run, or nothing could be sold. */
const CURRENCY = "USD";

export class Values {
  readonly #chance: Chance;
  readonly #memory: Memory;

  constructor(chance: Chance, memory: Memory) {
    this.#chance = chance;
    this.#memory = memory;
  }

  /** A new word with the mark. */
  word(): string {
    return `${MARK}${Math.floor(this.#chance.share() * 36 ** 6)
      .toString(36)
      .padStart(6, "0")}`;
  }

  /** A value that the schema accepts, or nearly: rules between fields are in no schema. */
  fitting(given: unknown, depth = 0): unknown {
    const schema = resolved(objectOf(given));
    const branches = listOf(schema["anyOf"]);
    if (branches.length > 0) return this.fitting(this.#chance.one(branches), depth);
    const choices = listOf(schema["enum"]);
    if (choices.length > 0) return this.#choice(choices);
    const make: Readonly<Record<string, () => unknown>> = {
      string: () => this.#text(schema),
      integer: () => this.#number(schema),
      number: () => this.#number(schema),
      boolean: () => this.#chance.happens(0.5),
      null: () => null,
      array: () => this.#list(schema, depth),
      object: () => this.#object(schema, depth),
    };
    const types = listOf(schema["type"]);
    const type = types.length === 0 ? schema["type"] : this.#chance.one(types);
    return (make[String(type)] ?? (() => this.#chance.one(oddValues)))();
  }

  /** A value at the boundary of the schema, beyond it, or of another type. */
  odd(given: unknown): unknown {
    const schema = resolved(objectOf(given));
    if (this.#chance.happens(0.3)) return this.anything();
    const edges = [
      ...numbersAt(schema, "minimum"),
      ...numbersAt(schema, "maximum"),
      ...textsAt(schema, "minLength"),
      ...textsAt(schema, "maxLength"),
      ...this.#listsAt(schema, "minItems"),
      ...this.#listsAt(schema, "maxItems"),
    ];
    const branches = listOf(schema["anyOf"]);
    if (branches.length > 0) return this.odd(this.#chance.one(branches));
    return edges.length === 0 ? this.anything() : this.#chance.one(edges);
  }

  /** A value unrelated to any schema. */
  anything(): unknown {
    if (this.#chance.happens(0.05)) return this.#deep();
    if (this.#chance.happens(0.05)) return Array.from({ length: 2_000 }, () => this.word());
    return this.#chance.one(this.#chance.happens(0.5) ? oddTexts : oddValues);
  }

  #choice(choices: readonly unknown[]): unknown {
    const isUsual = choices.includes(CURRENCY) && this.#chance.happens(0.9);
    return isUsual ? CURRENCY : this.#chance.one(choices);
  }

  #text(schema: Json): string {
    const pattern = schema["pattern"];
    const kind = typeof pattern === "string" ? /^\^([a-z]+)_\[0-7\]/.exec(pattern)?.[1] : undefined;
    if (kind !== undefined) return this.#memory.recall(kind);
    const fits = this.#samplesOf(schema);
    if (fits.length > 0) return this.#chance.one(fits);
    const [least, most] = [numberOf(schema["minLength"], 0), numberOf(schema["maxLength"], 60)];
    const length = this.#chance.one([least, most, least + this.#chance.below(20)]);
    return `${this.word()} ${"ñ".repeat(TEXT_LENGTH_MAX)}`.slice(0, Math.min(length, most));
  }

  /** A text that fits the pattern or format. Throws where no sample fits: then add one. */
  #samplesOf({ pattern, format, maxLength }: Json): string[] {
    if (typeof pattern !== "string" && typeof format !== "string") return [];
    const rules = [
      ...(typeof pattern === "string" ? [new RegExp(pattern)] : []),
      ...(typeof format === "string" ? [formats[format] ?? /^/] : []),
    ];
    const fits = [...samples.map((sample) => sample.replace("#", this.word())), ...colors]
      .filter((sample) => sample.length <= numberOf(maxLength, 60))
      .filter((sample) => rules.every((rule) => rule.test(sample)));
    if (fits.length === 0) throw new Error(`No sample fits ${String(pattern)} ${String(format)}.`);
    return fits;
  }

  #number({ type, minimum, maximum }: Json): number {
    const [least, most] = [numberOf(minimum, -1_000), numberOf(maximum, 100_000)];
    if (this.#chance.happens(0.05)) return this.#chance.one([least, most]);
    const small = Math.min(Math.max(least, 0) + this.#chance.below(5), most);
    return type === "integer" ? small : this.#chance.one([small, small + 0.5, small + 0.25]);
  }

  #list(schema: Json, depth: number): unknown[] {
    const least = numberOf(schema["minItems"], 0);
    const most = Math.min(numberOf(schema["maxItems"], LIST_LENGTH_MAX), LIST_LENGTH_MAX);
    const length = Math.min(least + this.#chance.below(3), Math.max(least, most));
    const items = Array.from({ length }, () => this.fitting(schema["items"], depth + 1));
    return schema["uniqueItems"] === true ? [...new Set(items)] : items;
  }

  #object(schema: Json, depth: number): Json {
    const fields = objectOf(schema["properties"]);
    const needed = listOf(schema["required"]);
    if (Object.keys(fields).length === 0) return this.#freely(depth);
    const share = this.#chance.one([0.1, 0.4, 0.8]) / (1 + depth / 2);
    return Object.fromEntries(
      Object.entries(fields)
        .filter(([name]) => needed.includes(name) || this.#chance.happens(share))
        .map(([name, field]) => [name, this.fitting(field, depth + 1)]),
    );
  }

  /** Free-form values, such as metadata. */
  #freely(depth: number): Json {
    if (depth > DEPTH_MAX || this.#chance.happens(0.3)) return {};
    return { Color: this.word(), nested: this.#chance.one([this.word(), 1, null, [true], {}]) };
  }

  #deep(): unknown {
    let value: unknown = this.word();
    const levels = this.#chance.one([10, 60, 65, 500]);
    for (let level = 0; level < levels; level += 1)
      value = level % 2 === 0 ? [value] : { x: value };
    return value;
  }

  #listsAt(schema: Json, edge: string): unknown[][] {
    const length = schema[edge];
    if (typeof length !== "number") return [];
    return [length - 1, length, length + 1]
      .filter((one) => one >= 0)
      .map((one) => Array.from({ length: one }, () => this.fitting(schema["items"], DEPTH_MAX)));
  }
}

function numbersAt(schema: Json, edge: string): number[] {
  const at = schema[edge];
  return typeof at === "number" ? [at - 1, at, at + 1, at + 0.5] : [];
}

/** Of one-byte characters, and of ones with two code units. */
function textsAt(schema: Json, edge: string): string[] {
  const at = schema[edge];
  if (typeof at !== "number") return [];
  return [at - 1, at, at + 1]
    .filter((length) => length >= 0)
    .flatMap((length) => ["y".repeat(length), "😀".repeat(length)]);
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
