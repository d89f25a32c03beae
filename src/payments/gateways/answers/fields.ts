// Reads the objects of vendors' answers. Invariant: a value of another type than the documented one is never taken
// for something else: it is a surprise, which says where it is and never what it is.

import { isObject } from "#kernel/assume.ts";
import { LossyNumber } from "#platform/http/strict-json.ts";

/** An answer that no document describes. The pointer has the vendor's own names alone. */
export class Surprise extends Error {
  readonly pointer: string;

  constructor(pointer: string) {
    super(`Unexpected value at ${pointer}`);
    this.pointer = pointer;
  }
}

const WHOLE = /^(?:0|[1-9]\d{0,19})$/;

/** An object of an answer. Every reader throws `Surprise` for a value of another type. */
export class Fields {
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #pointer: string;

  constructor(value: unknown, pointer = "") {
    if (!isObject(value)) throw new Surprise(pointer);
    this.#value = value;
    this.#pointer = pointer;
  }

  /** The fault of a value that is not expected here. */
  surprise(name: string): Surprise {
    return new Surprise(`${this.#pointer}/${name}`);
  }

  text(name: string): string {
    const value = this.#own(name);
    // No engine keeps U+0000.
    if (typeof value !== "string" || value === "" || value.includes("\0"))
      throw this.surprise(name);
    return value;
  }

  /** Null where it is null or absent. */
  textOrNull(name: string): string | null {
    return this.#own(name) === null ? null : this.text(name);
  }

  /** An exact number, zero or more. */
  whole(name: string): number {
    const value = this.#own(name);
    return this.#exact(name, typeof value === "number" ? value : Number.NaN);
  }

  /** An exact number, which may be below zero. */
  signed(name: string): number {
    const value = this.#own(name);
    if (typeof value !== "number" || !Number.isSafeInteger(value)) throw this.surprise(name);
    return value;
  }

  /** A number as `whole` reads it, also written as text. */
  wholeOrText(name: string): number {
    const value = this.#own(name);
    return typeof value === "string" && WHOLE.test(value)
      ? this.#exact(name, Number(value))
      : this.whole(name);
  }

  /** An id that is a number of up to 64 bits, or text, as text. */
  numberedId(name: string): string {
    const value = this.#own(name);
    const text = value instanceof LossyNumber ? value.literal : String(value);
    if (!WHOLE.test(text)) throw this.surprise(name);
    return text;
  }

  flag(name: string): boolean {
    const value = this.#own(name);
    if (typeof value !== "boolean") throw this.surprise(name);
    return value;
  }

  isNull(name: string): boolean {
    return this.#own(name) === null;
  }

  /** Null also where it is an empty text, which some vendors write for nothing. */
  textIfAny(name: string): string | null {
    return this.#own(name) === "" ? null : this.textOrNull(name);
  }

  fields(name: string): Fields {
    return new Fields(this.#own(name), `${this.#pointer}/${name}`);
  }

  /** Null where it is null or absent. */
  fieldsOrNull(name: string): Fields | null {
    return this.#own(name) === null ? null : this.fields(name);
  }

  list(name: string): Fields[] {
    const value = this.#own(name);
    if (!Array.isArray(value)) throw this.surprise(name);
    return value.map((one) => new Fields(one, `${this.#pointer}/${name}/-`));
  }

  /** The objects of a list, or the one that stands in its place. */
  listOrOne(name: string): Fields[] {
    return Array.isArray(this.#own(name)) ? this.list(name) : [this.fields(name)];
  }

  /** The id of an object that is named by its id, or is there in full; null where there is none. */
  idOrNull(name: string): string | null {
    const value = this.#own(name);
    return isObject(value) ? this.fields(name).text("id") : this.textOrNull(name);
  }

  #exact(name: string, value: number): number {
    if (!Number.isSafeInteger(value) || value < 0) throw this.surprise(name);
    return value;
  }

  #own(name: string): unknown {
    return Object.hasOwn(this.#value, name) ? (this.#value[name] ?? null) : null;
  }
}
