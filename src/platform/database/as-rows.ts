// The cast that gives rows the type their statement was built with.

import { assume } from "#kernel/assume.ts";

/** Rows of a statement, as the type of its builder has them. */
export function asRows<Rows>(rows: unknown): Rows {
  return assume<Rows>(rows);
}
