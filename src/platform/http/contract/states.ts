// The statuses of a noun as the documentation tells them: an enum with a name of its own, and a sentence about each. A
// status without a sentence does not compile.

import Type from "typebox";

import type { Life, StateOf } from "#kernel/machine.ts";

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
  return { ...terms, meanings, life, schema: namedEnum<StateOf<T>>(terms, meanings) };
}

/** A status that is computed, by the formula that `about` tells. */
export function computedStates<const S extends string>(
  terms: Terms,
  meanings: Readonly<Record<S, string>>,
) {
  return { ...terms, meanings, life: null, schema: namedEnum<S>(terms, meanings) };
}

function namedEnum<S extends string>(
  { name, about }: Terms,
  meanings: Readonly<Record<S, string>>,
) {
  const sentences = Object.entries<string>(meanings).map(
    ([state, means]) => `- \`${state}\`: ${means}`,
  );
  return Type.Unsafe<S>({
    type: "string",
    enum: Object.keys(meanings),
    description: `${about}\n\n${sentences.join("\n")}`,
    "x-component": name,
  });
}
