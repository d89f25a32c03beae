// Path parameters. A malformed id gets the same 404 as an unknown one.

import { type Id, type IdKind, isId, nameOfKind, prefixOf } from "#kernel/id.ts";
import type { RefusalDefinition } from "#kernel/refusal.ts";

export interface PathParameter<Value extends string> {
  readonly pattern: string;
  readonly description: string;
  readonly notFound: RefusalDefinition;
  accepts(text: string): text is Value;
}

/** The id of a resource; any other text is refused as not found. */
export function pathId<K extends IdKind>(
  kind: K,
  notFound: RefusalDefinition,
): PathParameter<Id<K>> {
  return {
    pattern: `^${prefixOf(kind)}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
    description: `The id of the ${nameOfKind(kind)}.`,
    notFound,
    accepts: (text): text is Id<K> => isId(kind, text),
  };
}

/** Reads the texts of a path. Refuses a malformed one as its parameter does an unknown one. */
export function readParams(
  parameters: Readonly<Record<string, PathParameter<string>>>,
  texts: Readonly<Record<string, string | null | undefined>>,
): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const text = texts[name] ?? "";
    if (!parameter.accepts(text)) throw parameter.notFound();
    params[name] = text;
  }
  return params;
}
