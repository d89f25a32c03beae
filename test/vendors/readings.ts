// Which members of vendors' answers a gateway reads.

import { spyOn } from "bun:test";

import { Fields } from "#payments/gateways/answers/fields.ts";

/** All readers of an answer's members. */
export const readers = [
  "text",
  "textOrNull",
  "textIfAny",
  "signed",
  "whole",
  "wholeOrText",
  "numberedId",
  "flag",
  "isNull",
  "fields",
  "fieldsOrNull",
  "list",
  "listOrOne",
  "idOrNull",
] as const;

export interface Reading {
  readonly name: string;
  /** From the whole answer; `-` is every element of a list. */
  readonly pointer: string;
  /** Its place among all calls of spies. */
  readonly at: number;
}

/** What is read while the work runs, whether it is there or not. */
export async function readingsOf(work: () => Promise<unknown>): Promise<Reading[]> {
  const spies = readers.map((reader) => spyOn(Fields.prototype, reader));
  try {
    await work();
    return spies.flatMap(({ mock: { calls, contexts, invocationCallOrder } }) =>
      calls.map(([name], index) => {
        const of = contexts[index];
        if (!(of instanceof Fields)) throw new Error(`${name} was read of something else.`);
        return {
          of,
          name,
          pointer: of.surprise(name).pointer,
          at: invocationCallOrder[index] ?? 0,
        };
      }),
    );
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
