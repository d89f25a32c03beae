// The sentence of an operation about publishable keys: the fields that they may send, and those that they are not told.

import { isObject } from "#kernel/assume.ts";
import { isPublicField } from "#platform/http/audience/audience.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";

/** Sentences on an operation that publishable keys may call. */
export function publicWords({ body, response }: Pick<AnyRoute, "body" | "response">): string {
  const sent = membersOf(body).filter(({ schema }) => isPublicField(schema));
  const hidden = hiddenIn(response);
  return [
    "A publishable key may call it",
    sent.length === 0 ? "." : ` with ${quoted(sent.map(({ name }) => name))}.`,
    hidden.length === 0 ? "" : ` It is not told ${quoted(hidden)}.`,
  ].join("");
}

/** The places of an answer that publishable keys are not told, such as `customer.id`. */
function hiddenIn(schema: unknown): string[] {
  const places = membersOf(schema).flatMap(({ name, schema: one }) =>
    isPublicField(one) ? hiddenIn(one).map((place) => `${name}.${place}`) : [name],
  );
  return [...new Set(places)];
}

interface Member {
  readonly name: string;
  readonly schema: unknown;
}

/** The members of an object, of the items of a list, and of what may be null. */
function membersOf(schema: unknown): readonly Member[] {
  if (!isObject(schema)) return [];
  const { properties, items, anyOf } = schema;
  const own = isObject(properties) ? Object.entries(properties) : [];
  const inner = [items, ...(Array.isArray(anyOf) ? anyOf : [])];
  return [...own.map(([name, one]) => ({ name, schema: one })), ...inner.flatMap(membersOf)];
}

function quoted(names: readonly string[]): string {
  const [last = "", ...others] = names.map((name) => `\`${name}\``).toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} and ${last}`;
}
