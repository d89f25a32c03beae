// Functions that are written as code: of a long declaration, straight code runs in a fraction of the time that a loop over
// its parts takes. Invariant: only names that declarations have become code, never a value of a request.

import { assume } from "#kernel/assume.ts";

/**
 * A function of one expression, in which `parameter` is what it is called with and `step0`, `step1` … are the steps.
 * It is compiled at its first use, which most commands never come to. The cast holds if the expression makes
 * what the caller says.
 */
export function compiled<From, To>(
  parameter: string,
  expression: string,
  steps: readonly ((value: unknown) => unknown)[],
): (from: From) => To {
  const names = steps.map((_, index) => `step${index}`);
  let run: ((from: From) => To) | undefined;
  return (from) => {
    run ??= assume<(from: From) => To>(
      new Function(...names, `return (${parameter}) => ${expression}`)(...steps),
    );
    return run(from);
  };
}
