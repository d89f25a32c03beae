// The filters of lists: by some of several values, by members that the caller names, and by time. Ids contain the instant
// of creation, so a span of `created_at` is a span of ids and needs no index.

import Type, { type Static, type TSchema } from "typebox";

import { firstIdAt, type Id, type IdKind } from "#kernel/id.ts";
import type { TimeSpan } from "#kernel/time.ts";

import { choice, instantOrDay, optional } from "./words.ts";

/** A filter that names some of the values, separated by commas. */
export const anyOf = <const T extends readonly string[]>(values: readonly [...T]) =>
  optional(
    Type.Array(choice(values), {
      minItems: 1,
      maxItems: values.length,
      description: "Any of these, comma-separated.",
    }),
  );

interface FamilyTerms {
  /** Members at most, and values of each. */
  readonly members: number;
  readonly values: number;
  readonly description: string;
}

/** Parameters of one name with members that the caller names, each with values separated by commas: `option[Size]=M,L`. */
export function family<S extends TSchema>(value: S, { members, values, description }: FamilyTerms) {
  return Type.Unsafe<Readonly<Record<string, readonly Static<S>[]>>>({
    type: "object",
    additionalProperties: Type.Array(value, { minItems: 1, maxItems: values }),
    maxProperties: members,
    "x-family": true,
    description,
  });
}

/** The query parameters, to be spread into a list's query. */
export const createdAtFilters = {
  "created_at[gte]": optional(instantOrDay),
  "created_at[gt]": optional(instantOrDay),
  "created_at[lte]": optional(instantOrDay),
  "created_at[lt]": optional(instantOrDay),
};

interface CreatedAtQuery {
  readonly "created_at[gte]"?: string;
  readonly "created_at[gt]"?: string;
  readonly "created_at[lte]"?: string;
  readonly "created_at[lt]"?: string;
}

export interface IdSpan<K extends IdKind> {
  /** The first id within the bounds. */
  readonly from: Id<K> | undefined;
  /** The first id beyond the bounds. */
  readonly below: Id<K> | undefined;
}

/** The ids of a kind that were made within the bounds. */
export function idSpan<K extends IdKind>(kind: K, query: CreatedAtQuery): IdSpan<K> {
  const { from, below } = timeSpan({
    gte: query["created_at[gte]"],
    gt: query["created_at[gt]"],
    lte: query["created_at[lte]"],
    lt: query["created_at[lt]"],
  });
  return {
    from: from === undefined ? undefined : firstIdAt(kind, from),
    below: below === undefined ? undefined : firstIdAt(kind, below),
  };
}

/** Instants that bound a time; days became instants before. */
type Bounds = { readonly [Name in "gte" | "gt" | "lte" | "lt"]: string | undefined };

/** The narrowest span of these bounds; undefined where nothing bounds it. */
export function timeSpan({ gte, gt, lte, lt }: Bounds): TimeSpan {
  const from = [...at(gte), ...after(gt)];
  const below = [...at(lt), ...after(lte)];
  return {
    from: from.length === 0 ? undefined : Math.max(...from),
    below: below.length === 0 ? undefined : Math.min(...below),
  };
}

function at(instant: string | undefined): number[] {
  return instant === undefined ? [] : [Date.parse(instant)];
}

function after(instant: string | undefined): number[] {
  return at(instant).map((epochMs) => epochMs + 1);
}
