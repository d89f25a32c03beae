// drizzle's builder over whoever runs its statements: for those that are built anew each time.

import { DrizzleQueryError } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sql";

import { assume } from "#kernel/assume.ts";
import type { Builder } from "#platform/database/database.ts";

type Client = Extract<NonNullable<Parameters<typeof drizzle>[0]>, { client: unknown }>["client"];

/** What is used of drizzle's own: how it makes a statement, and how that is run. */
interface Session {
  prepareQuery(...terms: unknown[]): { execute(...values: unknown[]): Promise<unknown> };
}

/** A builder whose statements are run by `ask`, which answers rows as the driver has them. */
export function builderOver(
  ask: (text: string, values: unknown[]) => Promise<unknown[][]>,
): Builder {
  // drizzle calls this one method of Bun.sql, and asks for either form of the rows.
  const unsafe = (text: string, values: unknown[]) => {
    const rows = ask(text, values);
    return Object.assign(rows, { values: () => rows });
  };
  const database = drizzle({ client: assume<Client>({ unsafe }) });
  throwAsIs(assume<{ session: Session }>(database).session);
  return assume<Builder>(database);
}

/** drizzle puts what was thrown into an error that repeats all values; ours stays as it is. */
function throwAsIs(session: Session): void {
  const prepareQuery = session.prepareQuery.bind(session);
  session.prepareQuery = (...terms) => {
    const statement = prepareQuery(...terms);
    const execute = statement.execute.bind(statement);
    statement.execute = async (...values) => {
      try {
        return await execute(...values);
      } catch (error) {
        throw error instanceof DrizzleQueryError ? (error.cause ?? error) : error;
      }
    };
    return statement;
  };
}
