// Tells that an operation or a field will end: in the document, in the client, and in the headers of each answer.

import { isObject } from "#kernel/assume.ts";

import type { Answer } from "./answer.ts";

/** The end of an operation or a field, announced at least twelve months and two releases before. */
export interface Deprecation {
  /** The day from which there is something better, such as 2027-01-15. */
  readonly since: string;
  /** The first day on which it may be gone. */
  readonly sunset: string;
  /** A sentence that says what to do: "Use `lines`." */
  readonly instead: string;
}

const MONTHS_MIN = 12;

/** Returns true if the word of a schema says that its field will end. */
export function isDeprecation(word: unknown): word is Deprecation {
  return isObject(word) && [word["since"], word["sunset"], word["instead"]].every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

/** The words of the document. Throws if the end is too soon, or a day is none. */
export function deprecationWords(terms: Deprecation, description: unknown) {
  const { since, sunset, instead } = terms;
  const earliest = Temporal.PlainDate.from(since).add({ months: MONTHS_MIN });
  if (Temporal.PlainDate.compare(Temporal.PlainDate.from(sunset), earliest) < 0) {
    throw new RangeError(
      `What is deprecated since ${since} stays until ${earliest.toString()} at least.`,
    );
  }
  const told = `Deprecated since ${since}, and there until ${sunset} at least. ${instead}`;
  const before = typeof description === "string" ? `${description}\n\n` : "";
  return { deprecated: true, description: `${before}${told}`, "x-deprecation": terms };
}

/** The answer with the headers of RFC 9745 and RFC 8594. Refusals go without: they are told for other reasons. */
export function tellDeprecation(
  answer: Answer,
  terms: Deprecation | null,
  publicUrl: string,
): Answer {
  if (terms === null || answer.status >= 400) return answer;
  const guide = `<${publicUrl}/guides/api>; rel="deprecation"; type="text/html"`;
  const headers = {
    ...answer.headers,
    Deprecation: `@${instantOf(terms.since) / 1000}`,
    Sunset: new Date(instantOf(terms.sunset)).toUTCString(),
    Link: [answer.headers["Link"], guide].filter((link) => link !== undefined).join(", "),
  };
  return { ...answer, headers };
}

function instantOf(day: string): number {
  return Temporal.Instant.from(`${day}T00:00:00Z`).epochMilliseconds;
}
