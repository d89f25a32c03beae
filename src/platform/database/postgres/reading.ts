// Reading a schema: statement by statement on any connection of the pool, or several of them together, so
// that all see the same moment.

import { type Reader, run } from "#platform/database/database.ts";
import { asRows } from "#platform/database/statement-values.ts";

import { PostgresLink } from "./link.ts";
import type { PostgresServer } from "./server.ts";
import { readyText } from "./statement.ts";

/** How often reads that belong together are begun where the connection is lost on the way. */
const ATTEMPTS_MAX = 2;

type Ask = (text: string, values: unknown[]) => Promise<unknown[][]>;

/** Reads with whatever runs statements; what they see is the business of that. */
export function readerOver(ask: Ask): Reader {
  return {
    [run]: async (statement, values) => {
      const { text, bind, decode } = readyText(statement);
      return asRows((await ask(text, bind(values))).map(decode));
    },
  };
}

/** What the reads make of what was committed at one moment: the moment of the first of them. */
export async function readTogether<T>(
  server: PostgresServer,
  reads: (db: Reader) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const link = new PostgresLink(await server.reserve());
    try {
      link.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      return await reads(readerOver((text, values) => link.ask(text, values)));
    } catch (error) {
      if (!link.isLost || attempt === ATTEMPTS_MAX) throw error;
      await server.lost();
    } finally {
      link.send("COMMIT");
      await link.settled();
      await link.release();
    }
  }
}
