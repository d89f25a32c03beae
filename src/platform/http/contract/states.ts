// The statuses of a noun as the documentation tells them: an enum with a name of its own, and a sentence about each. A
// status without a sentence does not compile.

import type { Life, StateOf } from "#kernel/machine.ts";

import { namedChoice } from "./words.ts";

/** A status with what it means and, where commands set it, the table of its life. */
export interface States {
  /** Its name in the documentation. */
  readonly name: string;
  readonly about: string;
  readonly meanings: Readonly<Record<string, string>>;
  /** Null where it is computed; `about` has the formula then. */
  readonly life: Life | null;
}

interface Terms {
  readonly name: string;
  readonly about: string;
}

/** The status of a life table. */
export function states<const T extends Life>(
  { life, ...terms }: Terms & { readonly life: T },
  meanings: Readonly<Record<StateOf<T>, string>>,
) {
  return { ...terms, meanings, life, schema: namedChoice<StateOf<T>>(terms, meanings) };
}

/** A status that is computed, by the formula that `about` tells. */
export function computedStates<const S extends string>(
  terms: Terms,
  meanings: Readonly<Record<S, string>>,
) {
  return { ...terms, meanings, life: null, schema: namedChoice<S>(terms, meanings) };
}
