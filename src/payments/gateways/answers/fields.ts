// Reads the objects of Stripe's answers. Invariant: a value of another type than the documented one is never taken
// for something else: it is a surprise, which says where it is and never what it is.

import { isObject } from "#kernel/assume.ts";

/** An answer that no document describes. The pointer has the vendor's own names alone. */
export class Surprise extends Error {
  readonly pointer: string;

  constructor(pointer: string) {
    super(`Unexpected value at ${pointer}`);
    this.pointer = pointer;
  }
}

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
    if (typeof value !== "string" || value === "") throw this.surprise(name);
    return value;
  }

  /** Null where it is null or absent. */
  textOrNull(name: string): string | null {
    return this.#own(name) === null ? null : this.text(name);
  }

  /** An exact number, zero or more. */
  whole(name: string): number {
    const value = this.#own(name);
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
      throw this.surprise(name);
    }
    return value;
  }

  flag(name: string): boolean {
    const value = this.#own(name);
    if (typeof value !== "boolean") throw this.surprise(name);
    return value;
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

  /** The id of an object that is named by its id, or is there in full; null where there is none. */
  idOrNull(name: string): string | null {
    const value = this.#own(name);
    return isObject(value) ? this.fields(name).text("id") : this.textOrNull(name);
  }

  #own(name: string): unknown {
    return Object.hasOwn(this.#value, name) ? (this.#value[name] ?? null) : null;
  }
}
