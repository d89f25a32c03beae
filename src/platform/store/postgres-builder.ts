// drizzle's builder over whoever runs its statements: for those that are built anew each time.

import { drizzle } from "drizzle-orm/bun-sql";

import { assume } from "#kernel/assume.ts";

import type { Builder } from "./store.ts";

type Client = Extract<NonNullable<Parameters<typeof drizzle>[0]>, { client: unknown }>["client"];

/** A builder whose statements are run by `ask`, which answers rows as the driver has them. */
export function builderOver(
  ask: (text: string, values: unknown[]) => Promise<unknown[][]>,
): Builder {
  // drizzle calls this one method of Bun.sql, and asks for either form of the rows.
  const unsafe = (text: string, values: unknown[]) => {
    const rows = ask(text, values);
    return Object.assign(rows, { values: () => rows });
  };
  return assume<Builder>(drizzle({ client: assume<Client>({ unsafe }) }));
}
