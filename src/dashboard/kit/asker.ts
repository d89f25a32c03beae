// Asks the interface for a person: by the name of a route, and typed by the shape that the route answers.

import type { Static, TSchema } from "typebox";

import { assume, isObject } from "#kernel/assume.ts";
import type { Answer } from "#platform/http/contract/answer.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import type { Inside, InsideRequest } from "#platform/http/server/inside.ts";
import type { JsonValue } from "#platform/http/strict-json.ts";

/** A refusal of the interface. */
export class Refused extends Error {
  readonly answer: Answer;
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(answer: Answer) {
    super(answer.text);
    this.name = "Refused";
    this.answer = answer;
    this.problem = objectOf(answer.text);
  }

  get status(): number {
    return this.answer.status;
  }
}

/** Null in place of what the interface does not find. Throws any other error again. */
export function nullIfGone(error: unknown): null {
  if (error instanceof Refused && error.status === 404) return null;
  throw error;
}

/** A page of a list. */
export interface Listed<Row> {
  readonly data: readonly Row[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

type Asking = Omit<InsideRequest, "route" | "request">;
interface Shape<S extends TSchema> {
  readonly schema: S;
}

export interface AskerTerms {
  readonly inside: Inside;
  readonly request: Request;
  readonly caller: Caller;
}

export class Asker {
  readonly request: Request;
  readonly caller: Caller;
  readonly #inside: Inside;

  constructor({ inside, request, caller }: AskerTerms) {
    this.#inside = inside;
    this.request = request;
    this.caller = caller;
  }

  /** Returns the answer of a route; `_shape` gives its type. Throws `Refused`. */
  async ask<S extends TSchema>(
    _shape: Shape<S>,
    route: string,
    asking: Asking = {},
  ): Promise<Static<S>> {
    // The cast holds: the route wrote the answer by this shape.
    return assume<Static<S>>(await this.answerOf(route, asking));
  }

  /** The same for a list, whose rows have the shape. */
  async list<S extends TSchema>(
    _shape: Shape<S>,
    route: string,
    asking: Asking = {},
  ): Promise<Listed<Static<S>>> {
    // The cast holds: the route wrote each row by this shape.
    return assume<Listed<Static<S>>>(await this.answerOf(route, asking));
  }

  /** The value of a route's answer; null without a body. Throws `Refused`. */
  async answerOf(route: string, asking: Asking = {}): Promise<JsonValue> {
    return readAnswer(await this.send(route, asking));
  }

  /** The answer itself, also of a refusal. */
  send(route: string, asking: Asking): Promise<Answer> {
    return this.#inside.ask(this.caller, { route, ...asking, request: this.request });
  }

  /** The same person, who asks the live shop: sign-ins are recorded there alone. */
  inLive(): Asker {
    const caller: Caller = { ...this.caller, mode: "live" };
    return new Asker({ inside: this.#inside, request: this.request, caller });
  }

  /** The schema of what a route takes. */
  bodySchemaOf(route: string): TSchema | null {
    return this.#inside.bodySchemaOf(route);
  }
}

/** The value of an answer. Throws `Refused`. */
export function readAnswer(answer: Answer): JsonValue {
  if (answer.status >= 400) throw new Refused(answer);
  // The cast holds: JSON has no other values.
  return answer.text === "" ? null : assume<JsonValue>(JSON.parse(answer.text));
}

/** The members of a JSON text; none of a text that is no object. */
export function objectOf(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : {};
}
