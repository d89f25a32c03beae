// Functions that are written as code: of a long declaration, straight code runs in a fraction of the time that a loop over
// its parts takes. Invariant: only names that declarations have become code, never a value of a request.

import { assume } from "#kernel/assume.ts";

/** The code of a function, and the steps that it calls. */
export interface Code {
  /** One expression, in which `step0`, `step1` … are the steps. */
  readonly expression: string;
  readonly steps: readonly ((value: unknown) => unknown)[];
}

/**
 * A function of one expression, in which `parameter` is what it is called with. It is written and compiled at its first
 * use, which most commands never come to. The cast holds if the expression makes what the caller says.
 */
export function compiled<From, To>(parameter: string, write: () => Code): (from: From) => To {
  let run: ((from: From) => To) | undefined;
  return (from) => {
    run ??= assume<(from: From) => To>(functionOf(parameter, write()));
    return run(from);
  };
}

function functionOf(parameter: string, { expression, steps }: Code): unknown {
  const names = steps.map((_, index) => `step${index}`);
  return new Function(...names, `return (${parameter}) => ${expression}`)(...steps);
}
