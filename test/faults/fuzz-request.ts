// One request of a fuzz: for an existing or a missing resource, as the document describes it, or broken in
// one of the ways in which programs and people break requests.

import { placesIn, wholeBody, withValueAt } from "../contract/whole-bodies.ts";
import type { Chance } from "./fault.ts";
import { described, type Json, objectOf, type Operation, type Parameter } from "./fuzz-document.ts";
import type { Memory } from "./fuzz-memory.ts";
import { oddTexts, Values } from "./fuzz-values.ts";

export interface FuzzRequest {
  readonly operation: Operation;
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "PROPFIND"];

/** Operations that are called less often, because they undo what the others need or are slow. */
const seldom: Readonly<Record<string, number>> = {
  "POST /v2/test/reset": 0.04,
  "POST /v2/test/clock/advance": 0.15,
  "PUT /v2/test/clock": 0.15,
  "PUT /v2/store": 0.3,
};

const mediaTypes: readonly string[] = [
  "application/json; charset=utf-8",
  "application/json; charset=latin1",
  "application/problem+json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/plain",
  "application/json, text/plain",
  "json",
  "*/*",
  ";",
];

/** ETags: one, a list, an invalid one. */
const conditions: readonly string[] = ['"1"', '"1.x"', 'W/"1"', "*", '"1", "2"', "1", '"', ",,,"];

/** Bodies that are no JSON, no strict JSON, or have a duplicate member. */
const brokenTexts: readonly string[] = [
  "",
  " ",
  "{",
  "}",
  "[",
  "nul",
  "null",
  "true",
  '"x"',
  "0",
  "[]",
  "{}",
  "{}{}",
  "{} x",
  '{"name":"a","name":"b"}',
  '{"name":"a","n\\u0061me":"b"}',
  '{"quantity":01}',
  '{"amount":1e400}',
  '{"amount":-0}',
  '{"amount":12345678901234567890}',
  '{"amount":0.1000000000000000055511151231257827}',
  '{"amount":NaN}',
  '{"name":"\\ud800"}',
  '{"name":"\\x"}',
  '{"name":"a\nb"}',
  "{'name':'a'}",
  '{"name":"a",}',
  '{/* */"name":"a"}',
  "\ufeff{}",
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
  `${'{"x":'.repeat(2_000)}1${"}".repeat(2_000)}`,
  `{"name":"${"x".repeat(1_048_577)}"}`,
];

const brokenBytes: readonly Uint8Array<ArrayBuffer>[] = [
  new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  new Uint8Array([0xc3, 0x28]),
  new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  new Uint8Array([0x1f, 0x8b, 0x08, 0x00]),
  new Uint8Array(64),
];

export class Requests {
  readonly #chance: Chance;
  readonly #memory: Memory;
  readonly #values: Values;
  readonly #operations: readonly Operation[];
  #made = 0;

  constructor(chance: Chance, memory: Memory, operations: readonly Operation[] = described) {
    this.#chance = chance;
    this.#memory = memory;
    this.#values = new Values(chance, memory);
    this.#operations = operations;
  }

  /** The next request: mostly a valid one with at most one fault. */
  next(): FuzzRequest {
    this.#made += 1;
    const operation = this.#operation();
    const isOdd = this.#chance.happens(0.5);
    const method = this.#chance.happens(0.03) ? this.#chance.one(methods) : operation.method;
    const body = this.#bodyOf(operation, isOdd);
    const mayHaveBody = method !== "GET" && method !== "HEAD";
    return {
      operation,
      method,
      path: `${this.#pathOf(operation)}${this.#queryOf(operation, isOdd)}`,
      headers: this.#headersOf(operation, body !== null && mayHaveBody),
      body: mayHaveBody ? body : null,
    };
  }

  #operation(): Operation {
    for (;;) {
      const operation = this.#chance.one(this.#operations);
      if (this.#chance.happens(seldom[operation.name] ?? 1)) return operation;
    }
  }

  #pathOf({ path, parameters }: Operation): string {
    return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const schema = parameters.find((one) => one.in === "path" && one.name === name)?.schema ?? {};
      return encoded(this.#parameter(schema));
    });
  }

  /** Mostly an id of the right kind; else of another kind, or an invalid one. */
  #parameter(schema: Json): string {
    if (this.#chance.happens(0.85)) {
      const isReference = !String(schema["pattern"]).includes("[0-7]");
      return isReference ? this.#memory.recall("pay") : String(this.#values.fitting(schema));
    }
    const kinds = ["ord", "cus", "var", "prod", "pay", "key"];
    const other = this.#memory.recall(this.#chance.one(kinds));
    return this.#chance.one([other, this.#values.word(), `${other}0`, ...oddTexts.slice(1)]);
  }

  #queryOf({ parameters }: Operation, isOdd: boolean): string {
    const given = parameters
      .filter((one) => one.in === "query")
      .filter(() => this.#chance.happens(0.25))
      .flatMap((one) => this.#named(one, isOdd));
    if (isOdd && this.#chance.happens(0.03)) given.push(["unknown", this.#values.word()]);
    if (isOdd && this.#chance.happens(0.01))
      return `?${this.#chance.one(["%", "%E0%A4%A", "=&&=", "a=%00"])}`;
    const texts = given.map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
    return texts.length === 0 ? "" : `?${texts.join("&")}`;
  }

  #named({ name, schema }: Parameter, isOdd: boolean): [string, string][] {
    // Long polling would take most of the time.
    if (name === "wait") return [[name, this.#chance.one(["0", "1", "31", "x"])]];
    const isCursor = name === "cursor" && this.#memory.knows("cursor") && this.#chance.happens(0.8);
    if (isCursor) return [[name, this.#memory.recall("cursor")]];
    const value =
      isOdd && this.#chance.happens(0.5) ? this.#values.odd(schema) : this.#values.fitting(schema);
    const text = typeof value === "string" ? value : [value].flat().map(textOf).join(",");
    const isDoubled = isOdd && this.#chance.happens(0.05);
    return isDoubled
      ? [
          [name, text],
          [name, text],
        ]
      : [[name, text]];
  }

  #headersOf({ parameters }: Operation, hasBody: boolean): Record<string, string> {
    const chance = this.#chance;
    const known = new Set(parameters.filter((one) => one.in === "header").map(({ name }) => name));
    const some: readonly (readonly [
      name: string,
      isOne: boolean,
      share: number,
      make: () => string,
    ])[] = [
      ["Content-Type", hasBody, 0.02, () => chance.one(mediaTypes)],
      ["Content-Encoding", hasBody, 0.01, () => "gzip"],
      ["If-None-Match", known.has("If-None-Match"), 0.1, () => chance.one(conditions)],
      ["If-Match", known.has("If-Match"), 0.06, () => chance.one(conditions)],
      ["Idempotency-Key", known.has("Idempotency-Key"), 0.25, () => this.#idempotencyKey()],
      ["Accept", true, 0.02, () => chance.one(["application/problem+json", "text/html", ";"])],
      ["Origin", true, 0.02, () => chance.one(["https://shop.invalid", "null"])],
    ];
    const chosen = some.filter(([, isOne, share]) => isOne && chance.happens(share));
    return {
      ...this.#authorization(),
      ...(hasBody ? { "Content-Type": "application/json" } : {}),
      ...Object.fromEntries(chosen.map(([name, , , make]) => [name, make()])),
    };
  }

  /** Few enough to be reused, with the same body or with another one. */
  #idempotencyKey(): string {
    if (this.#chance.happens(0.1))
      return this.#chance.one(["k".repeat(256), "a b", '"quoted"', "é", '""']);
    return this.#chance.happens(0.5) ? this.#values.word() : `key-${this.#chance.below(40)}`;
  }

  /** Mostly the shop's own key; else one with fewer scopes, a revoked one or an invalid one. */
  #authorization(): Record<string, string> {
    const chance = this.#chance;
    if (!chance.happens(0.07)) return {};
    const wrong = ["", "Bearer", "Basic eDp5", "Bearer x, Bearer y", "Bearer test_sk_x"];
    const isSeen = this.#memory.knows("api key") && chance.happens(0.7);
    // Another address each time: wrong keys from one address are throttled.
    const address = `10.${chance.below(256)}.${chance.below(256)}.${chance.below(256)}`;
    return {
      Authorization: isSeen ? `Bearer ${this.#memory.recall("api key")}` : chance.one(wrong),
      "X-Forwarded-For": address,
    };
  }

  #bodyOf({ name, body }: Operation, isOdd: boolean): FuzzRequest["body"] {
    if (body === null)
      return this.#chance.happens(0.9) ? null : this.#chance.one(["{}", '{"x":1}', "x"]);
    if (isOdd && this.#chance.happens(0.1)) {
      return this.#chance.one([...brokenTexts.slice(0, -1), ...brokenBytes, ...this.#tooLong()]);
    }
    const good = this.#goodBody(name, body);
    if (!isOdd) return JSON.stringify(good);
    const text = JSON.stringify(this.#brokenBody(good, body));
    return this.#chance.happens(0.03) ? text.slice(0, this.#chance.below(text.length)) : text;
  }

  /** It costs as much as a hundred others. */
  #tooLong(): readonly string[] {
    return this.#chance.happens(0.02) ? brokenTexts.slice(-1) : [];
  }

  #goodBody(name: string, schema: Json): unknown {
    const ids = this.#memory.latest();
    const whole = this.#chance.happens(0.4) ? wholeBody(name, { ids, n: this.#made }) : undefined;
    const body = whole ?? this.#values.fitting(schema);
    if (name === ADVANCE && this.#chance.happens(0.95)) return { seconds: this.#chance.one(WAITS) };
    if (!name.includes("/v2/webhooks") || !("url" in objectOf(body))) return body;
    return { ...objectOf(body), url: this.#chance.one(endpoints) };
  }

  #brokenBody(good: unknown, schema: Json): unknown {
    const chance = this.#chance;
    const fields = Object.entries(objectOf(schema["properties"]));
    if (chance.happens(0.05))
      return { ...objectOf(good), [chance.one(["unknown", "", "id", "__proto__ "])]: 1 };
    if (chance.happens(0.5) && fields.length > 0) {
      const [field, one] = chance.one(fields);
      return { ...objectOf(good), [field]: this.#values.odd(one) };
    }
    const places = placesIn(good);
    if (places.length === 0) return this.#values.anything();
    const place = chance.one(places);
    return withValueAt(good, place, chance.happens(0.15) ? undefined : this.#values.anything());
  }
}

const ADVANCE = "POST /v2/test/clock/advance";
/** Advancing a busy shop by two years takes minutes. */
const WAITS: readonly number[] = [1, 60, 3_600, 86_400];

/** No address beyond this machine is ever called. */
const endpoints: readonly string[] = [
  "http://127.0.0.1:9/hooks",
  "http://localhost:9/hooks?zlo=1",
  "http://[::1]:9/",
  "http://127.0.0.1:9",
  "http://127.1:9",
  "http://10.0.0.1/hooks",
  "https://169.254.169.254/latest",
  "ftp://127.0.0.1/",
  "http://user:word@127.0.0.1:9/",
  "http://127.0.0.1:0/",
  "//127.0.0.1",
];

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

/** A lone surrogate cannot be encoded: clients replace it. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("%3A", ":");
}
