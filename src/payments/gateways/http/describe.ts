// Asks an adapter what it is. Invariant: a description that contradicts itself, or is of another mode, is none.

import type { Mode } from "#platform/database/shop.ts";

import { AdapterCalls, type AdapterTerms } from "./calls.ts";
import { type Description, descriptionPart, type Taking } from "./wire.ts";

/** The description of an adapter, or the reason for which it does not count, for the operator. */
export type Described =
  | { readonly kind: "described"; readonly description: Description }
  | { readonly kind: "refused"; readonly said: string; readonly pointer: string | null };

/** Asks the adapter. Changes nothing there. */
export async function describeAdapter(terms: AdapterTerms): Promise<Described> {
  const { signal } = new AbortController();
  const answer = await new AdapterCalls(terms).read(
    "describe",
    {},
    { part: descriptionPart, signal },
  );
  if (!("kind" in answer)) return judged(answer, terms.mode);
  const { trouble, pointer } = answer;
  if (pointer !== undefined) {
    return refused(
      `Its answer is not as the contract says at ${pointer || "its beginning"}.`,
      pointer,
    );
  }
  return refused(
    trouble === "misconfigured"
      ? "It does not take the signature, or its address may not be called."
      : "It gave no answer that counts.",
  );
}

function refused(said: string, pointer: string | null = null): Described {
  return { kind: "refused", said, pointer };
}

function judged(description: Description, mode: Mode): Described {
  const pointer = faultOf(description, mode);
  if (pointer === null) return { kind: "described", description };
  return refused(`It contradicts itself or this shop at ${pointer}.`, pointer);
}

function faultOf({ mode, takes, perMinute }: Description, expected: Mode): string | null {
  if (mode !== expected) return "/mode";
  if (takes.length === 0) return "/takes";
  if (perMinute === 0) return "/per_minute";
  for (const [index, taking] of takes.entries()) {
    const member = faultyMember(taking);
    if (member !== null) return `/takes/${index}/${member}`;
  }
  return null;
}

function faultyMember({ minimumMinor, maximumMinor, multipleMinor }: Taking): string | null {
  if (minimumMinor === 0) return "minimum_minor";
  if (maximumMinor !== undefined && maximumMinor < minimumMinor) return "maximum_minor";
  return multipleMinor === 0 ? "multiple_minor" : null;
}

/** The description in the words of the wire, as it is stored. */
export function writtenDescription(description: Description): Readonly<Record<string, unknown>> {
  return { ...Object(descriptionPart.write(description)) };
}

/** The description that was kept. Throws `Surprise` where another version of this program kept it in other words. */
export function readDescription(kept: unknown, mode: Mode): Description {
  return descriptionPart.read(kept, { pointer: "", mode });
}
