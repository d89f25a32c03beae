// A recording: what a vendor answered to the calls of a case, without anything that names a person, an account or a
// secret. A list says whose values stay; all others are replaced, and what is written is searched for what must not
// be there.

import { holdsCardNumber } from "#kernel/card-number.ts";

import type { Exchange } from "./relay.ts";

export interface RecordedExchange {
  /** `POST /v1/refunds/{id}`. */
  readonly call: string;
  readonly query: unknown;
  readonly request: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: unknown;
}

export interface Recording {
  readonly vendor: string;
  readonly case: string;
  /** `2026-11-23`. */
  readonly recorded_on: string;
  readonly api_version: string | null;
  readonly exchanges: readonly RecordedExchange[];
}

/** Members whose text stays: words of the vendor's own vocabulary. */
const KEPT: ReadonlySet<string> = new Set(
  [
    "object type status state code decline_code currency channel domain brand network funding reason category",
    "resolution message gateway_response payment_status payment_method_types capture_method confirmation_method mode",
    "expand ui_mode action card_type country country_code reporting_category billing_details_collection provider",
  ].flatMap((line) => line.split(" ")),
);
const WORDS = /^[A-Za-z][A-Za-z _.,':;()/-]{0,119}$/;
/** Stripe's test cards, and the addresses of its lists. */
const PUBLIC = /^(?:pm_card_\w+|\/v1\/[a-z_/]+)$/;
const ID = /^(?<prefix>(?:[a-z]+_)+)(?<rest>[A-Za-z0-9]{6,})$/;
const kinds: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["email", /@/],
  ["url", /^https?:/],
  ["time", /^\d{4}-\d\d-\d\dT/],
  ["ip", /^\d{1,3}(?:\.\d{1,3}){3}$/],
  ["number", /^\+?\d+$/],
];
/** Amounts of the cases are small; what is greater is an id or an instant. */
const NUMBER_KEPT_MAX = 99_999;
const DIGITS_MAX = 15;

/** What is replaced, the same value always by the same. */
class Masks {
  readonly #known = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** The values that must not be found any more. */
  get originals(): readonly string[] {
    return [...this.#known.keys()];
  }

  /** The text without what stands in the place of others, which may be as long as a token. */
  withoutMasks(text: string): string {
    const masks = [...this.#known.values()].toSorted((one, other) => other.length - one.length);
    return masks.reduce((rest, mask) => rest.replaceAll(mask, ""), text);
  }

  value(value: unknown, name: string): unknown {
    if (Array.isArray(value)) return value.map((one: unknown) => this.value(one, name));
    if (typeof value === "string") return this.text(value, name);
    if (typeof value === "number") return this.#number(value);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([member, one]) => [member, this.value(one, member)]),
    );
  }

  text(text: string, name: string): string {
    if (text === "" || PUBLIC.test(text)) return text;
    // `expand[0]` is one of `expand`.
    const [list = ""] = name.split("[");
    if (KEPT.has(list) && WORDS.test(text)) return text;
    return this.#masked(text, () => this.#replaced(text));
  }

  #number(number: number): number {
    if (Math.abs(number) <= NUMBER_KEPT_MAX) return number;
    const digits = Math.min(String(Math.abs(Math.trunc(number))).length, DIGITS_MAX);
    const masked = this.#masked(String(number), () =>
      String(10 ** (digits - 1) + this.#next("number")),
    );
    return Number(masked);
  }

  #replaced(text: string): string {
    const { prefix, rest } = ID.exec(text)?.groups ?? {};
    if (prefix !== undefined && rest !== undefined) {
      return `${prefix}${String(this.#next("id")).padStart(rest.length, "0")}`;
    }
    const kind = kinds.find(([, pattern]) => pattern.test(text))?.[0] ?? "text";
    return `<${kind}:${this.#next(kind)}>`;
  }

  #masked(original: string, make: () => string): string {
    const known = this.#known.get(original);
    if (known !== undefined) return known;
    const made = make();
    this.#known.set(original, made);
    return made;
  }

  #next(kind: string): number {
    const next = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, next);
    return next;
  }
}

export interface About {
  readonly vendor: string;
  readonly case: string;
  readonly now: number;
  readonly secret: string;
}

/** The recording of the calls. Throws if something would be written that must not be. */
export function recordingOf(exchanges: readonly Exchange[], about: About): Recording {
  const masks = new Masks();
  const recorded = exchanges.map((one) => recordedOf(one, masks));
  const [version] = exchanges.flatMap(({ headers }) => headers.get("stripe-version") ?? []);
  const recording = {
    vendor: about.vendor,
    case: about.case,
    recorded_on: new Date(about.now).toISOString().slice(0, 10),
    api_version: version ?? null,
    exchanges: recorded,
  };
  const text = masks.withoutMasks(JSON.stringify(recorded));
  const found = leakIn(text, [about.secret, ...masks.originals]);
  if (found !== null) throw new Error(`The recording of ${about.case} has ${found}.`);
  return recording;
}

function recordedOf(exchange: Exchange, masks: Masks): RecordedExchange {
  const { method, path, query, contentType, body, status, headers, answer } = exchange;
  const replayed = headers.get("idempotent-replayed");
  return {
    call: `${method} ${templateOf(path)}`,
    query: masks.value(pairsOf(query), ""),
    request: masks.value(readBody(body, contentType), ""),
    status,
    headers: {
      "content-type": headers.get("content-type") ?? "",
      ...(replayed !== null && { "idempotent-replayed": replayed }),
    },
    answer: masks.value(readBody(answer, headers.get("content-type") ?? ""), ""),
  };
}

/** Segments with digits name one thing; versions do not. */
function templateOf(path: string): string {
  return path
    .split("/")
    .map((segment) => (/\d/.test(segment) && !/^v\d$/.test(segment) ? "{id}" : segment))
    .join("/");
}

function readBody(text: string, contentType: string): unknown {
  if (text === "") return null;
  if (contentType.includes("form")) return pairsOf(text);
  try {
    return JSON.parse(text);
  } catch {
    // A page of a proxy, or what broke: its kind is enough.
    return "not JSON";
  }
}

/** The values of a form by the last part of each name, so that the list of kept ones holds for them. */
function pairsOf(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Shorter ones stand in other words by chance, and so do those that are words of a vocabulary. */
const ORIGINAL_MIN = 6;
const VOCABULARY = /^[a-z_]+$/;
const leaks: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["a secret", /\b(?:[rs]k|whsec)_(?:test_|live_)?\w{4}|Bearer /],
  ["an email address", /[\w.+-]+@[\w-]+\.\w/],
  ["an address of the web", /https?:\/\//],
  ["an address of a network", /\b\d{1,3}(?:\.\d{1,3}){3}\b/],
  ["a phone number", /\+\d{9,15}/],
  ["a token", /[A-Za-z0-9+/_=-]{48,}/],
];

/** What the text has that no recording may have; null if nothing. */
export function leakIn(text: string, originals: readonly string[]): string | null {
  const own = originals.filter((one) => one.length >= ORIGINAL_MIN && !VOCABULARY.test(one));
  if (own.some((one) => text.includes(one))) return "a value that is replaced elsewhere";
  if (holdsCardNumber(text)) return "a card number";
  return leaks.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}
