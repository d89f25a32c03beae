// A strict JSON parser: builds the value in one pass and refuses everything that two parsers may
// read differently (RFC 8259 grammar, RFC 7493 strings and keys). Invariant: an accepted number or
// string means exactly what the caller wrote. Which characters a field can hold, the schema check says.

import type { Fault } from "#kernel/fault.ts";
import { toPointerStep } from "#kernel/refusal.ts";

// Converts JSON number literals to doubles only if no digit is lost. A double is accepted if it
// prints as the same decimal.

/** Decimals of this many digits survive the conversion to a double and back (IEEE 754). */
const SAFE_DIGITS = 15;
const DIGIT_0 = 0x30;

/** The double of a literal, -0 as 0; null if it would be another decimal. */
function exactNumber(literal: string): number | null {
  const number = Number(literal);
  const isShort = literal.length <= SAFE_DIGITS && !/[eE]/.test(literal);
  if (!isShort && !isExact(literal, number)) return null;
  return number === 0 ? 0 : number;
}

function isExact(literal: string, number: number): boolean {
  return (
    // Beyond this a double stands for several integers.
    Math.abs(number) <= Number.MAX_SAFE_INTEGER &&
    decimalForm(literal) === decimalForm(String(number))
  );
}

/** A unique spelling per decimal, without its sign: significant digits and a power of ten. */
function decimalForm(literal: string): string {
  const [mantissa = "", exponent = "0"] = literal.replace(/^-/, "").toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = whole + fraction;
  let first = 0;
  while (digits.charCodeAt(first) === DIGIT_0) first += 1;
  if (first === digits.length) return "0";
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === DIGIT_0) end -= 1;
  const power = Number(exponent) - fraction.length + (digits.length - end);
  return `${digits.slice(first, end)}e${power}`;
}

/** A number that a double cannot represent as written; the schema check refuses it. */
export class LossyNumber {
  readonly literal: string;

  constructor(literal: string) {
    this.literal = literal;
  }
}

export type JsonObject = { [key: string]: JsonValue };
export type JsonValue = null | boolean | number | string | LossyNumber | JsonValue[] | JsonObject;

/** The value, or the single fault (400) that made the text unreadable. */
export type StrictJson =
  { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly fault: Fault };

type JsonFaultCode =
  | "json_empty"
  | "json_encoding"
  | "json_syntax"
  | "json_depth"
  | "json_duplicate_key"
  | "json_forbidden_key"
  | "json_string";

/** Nesting of objects and arrays. No resource nests half as deep, and recursion stays shallow. */
const DEPTH_MAX = 32;
/** Code units of keys in a pointer; a longer path ends at an ancestor. */
const POINTER_LENGTH_MAX = 1_000;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET_OPEN = 0x5b;
const BACKSLASH = 0x5c;
const BRACKET_CLOSE = 0x5d;
const LETTER_F = 0x66;
const LETTER_N = 0x6e;
const LETTER_T = 0x74;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const BYTE_ORDER_MARK = 0xfeff;

// ignoreBOM makes a byte order mark visible, so that it is refused.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses a body; the fault has a pointer if its place is known. Throws only what `onName` throws, which is called for
 * each name of an object.
 */
export function parseStrictJson(bytes: Uint8Array, onName = (): void => undefined): StrictJson {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return refused("json_encoding", "The body is not valid UTF-8.");
  }
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) {
    return refused("json_encoding", "The body must not begin with a byte order mark.");
  }
  try {
    return { ok: true, value: new Parser(text, onName).document() };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, fault: error.fault };
    throw error;
  }
}

function refused(code: JsonFaultCode, detail: string): StrictJson {
  return { ok: false, fault: { code, detail } };
}

/** Unwinds the parser. */
class Unreadable extends Error {
  readonly fault: Fault;

  constructor(code: JsonFaultCode, detail: string, pointer?: string) {
    super(code);
    this.fault = pointer === undefined ? { code, detail } : { code, detail, pointer };
  }
}

class Parser {
  private readonly text: string;
  private readonly onName: () => void;
  private at = 0;
  private depth = 0;
  /** The key or index in each open container; only the first `depth` entries count. */
  private readonly path: (string | number)[] = [];

  constructor(text: string, onName: () => void) {
    this.text = text;
    this.onName = onName;
  }

  document(): JsonValue {
    if (Number.isNaN(this.nextCode())) throw new Unreadable("json_empty", "The body is empty.");
    const value = this.value();
    if (!Number.isNaN(this.nextCode())) throw this.expected("the end of the body");
    return value;
  }

  private value(): JsonValue {
    switch (this.nextCode()) {
      case QUOTE:
        return this.string(this.depth);
      case BRACE_OPEN:
        return this.object();
      case BRACKET_OPEN:
        return this.array();
      case LETTER_T:
        return this.word("true", true);
      case LETTER_F:
        return this.word("false", false);
      case LETTER_N:
        return this.word("null", null);
      default:
        return this.number();
    }
  }

  private object(): JsonObject {
    // A plain object is safe, because keys that reach its prototype are refused below.
    const object: JsonObject = {};
    this.enter();
    if (this.nextCode() === BRACE_CLOSE) return this.leave(object);
    do {
      if (this.nextCode() !== QUOTE) throw this.expected("a key in double quotes");
      this.onName();
      const key = this.string(this.depth - 1);
      this.path[this.depth - 1] = key;
      this.refuseKey(object, key);
      if (this.nextCode() !== COLON) throw this.expected("a colon");
      this.at += 1;
      object[key] = this.value();
    } while (this.hasNext(BRACE_CLOSE));
    return this.leave(object);
  }

  private array(): JsonValue[] {
    const array: JsonValue[] = [];
    this.enter();
    if (this.nextCode() === BRACKET_CLOSE) return this.leave(array);
    do {
      this.path[this.depth - 1] = array.length;
      array.push(this.value());
    } while (this.hasNext(BRACKET_CLOSE));
    return this.leave(array);
  }

  private enter(): void {
    if (this.depth === DEPTH_MAX) {
      throw this.fault("json_depth", `The body nests deeper than ${DEPTH_MAX} levels.`);
    }
    this.depth += 1;
    this.at += 1;
  }

  private leave<T>(container: T): T {
    this.depth -= 1;
    this.at += 1;
    return container;
  }

  /** True if a comma follows; otherwise the closing character must. */
  private hasNext(close: number): boolean {
    const code = this.nextCode();
    if (code === close) return false;
    if (code !== COMMA) throw this.expected("a comma or the end of the list or object");
    this.at += 1;
    return true;
  }

  private refuseKey(object: JsonObject, key: string): void {
    if (key === "__proto__" || key === "constructor" || key === "prototype") {
      throw this.fault("json_forbidden_key", "This key is not allowed anywhere in a body.");
    }
    if (Object.hasOwn(object, key)) {
      throw this.fault("json_duplicate_key", "This key appears twice in the same object.");
    }
  }

  /** Parses a string; its faults point at the first `tokens` steps of the path. */
  private string(tokens: number): string {
    const text = this.text;
    const start = this.at + 1;
    let at = start;
    let code = text.charCodeAt(at);
    while (code !== QUOTE && code !== BACKSLASH && code >= SPACE) code = text.charCodeAt(++at);
    if (code !== QUOTE) return this.escapedString(at, tokens);
    this.at = at + 1;
    return text.slice(start, at);
  }

  /** Parses a string with escapes, the first of them (or a fault) at `from`. */
  private escapedString(from: number, tokens: number): string {
    const start = this.at;
    let at = from;
    let code = this.text.charCodeAt(at);
    while (code !== QUOTE) {
      if (!(code >= SPACE)) {
        this.at = at;
        throw this.expected("the rest of a string, control characters escaped,");
      }
      at += code === BACKSLASH ? 2 : 1;
      code = this.text.charCodeAt(at);
    }
    const decoded = decodeString(this.text.slice(start, at + 1));
    if (decoded === null) throw this.expected("a string with valid escapes");
    if (!decoded.isWellFormed()) {
      const detail = "The string contains half of a surrogate pair.";
      throw this.fault("json_string", detail, tokens);
    }
    this.at = at + 1;
    return decoded;
  }

  private number(): number | LossyNumber {
    NUMBER.lastIndex = this.at;
    if (!NUMBER.test(this.text)) throw this.expected("a value");
    const literal = this.text.slice(this.at, NUMBER.lastIndex);
    this.at = NUMBER.lastIndex;
    return exactNumber(literal) ?? new LossyNumber(literal);
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) throw this.expected("a value");
    this.at += word.length;
    return value;
  }

  /** Skips white space and returns the next code unit; NaN at the end. */
  private nextCode(): number {
    const text = this.text;
    let code = text.charCodeAt(this.at);
    while (
      code <= SPACE &&
      (code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB)
    ) {
      this.at += 1;
      code = text.charCodeAt(this.at);
    }
    return code;
  }

  private fault(code: JsonFaultCode, detail: string, tokens: number = this.depth): Unreadable {
    return new Unreadable(code, detail, toPointer(this.path.slice(0, tokens)));
  }

  /** A syntax fault at this place, without the text that was sent. */
  private expected(what: string): Unreadable {
    return new Unreadable("json_syntax", `Expected ${what} at character ${this.at + 1}.`);
  }
}

function toPointer(path: readonly (string | number)[]): string {
  let pointer = "";
  for (const token of path) {
    const step = toPointerStep(String(token));
    if (pointer.length + step.length > POINTER_LENGTH_MAX) break;
    pointer += `/${step}`;
  }
  return pointer;
}

/** The value of a quoted string; null if it has an invalid escape. */
function decodeString(quoted: string): string | null {
  try {
    const decoded: unknown = JSON.parse(quoted);
    return typeof decoded === "string" ? decoded : null;
  } catch {
    return null;
  }
}
