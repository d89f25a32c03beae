// Readers on PostgreSQL: each statement on any connection of the pool, or several on one snapshot.

import { type Reader, run } from "#platform/database/database.ts";
import { asRows } from "#platform/database/statement-values.ts";
import { closedVault, type Vault } from "#platform/vault/vault.ts";

import { PostgresLink } from "./link.ts";
import type { PostgresServer } from "./server.ts";
import { readyText } from "./statement.ts";

/** How often reads of one snapshot are tried if the connection is lost. */
const ATTEMPTS_MAX = 2;

type Ask = (text: string, values: unknown[]) => Promise<unknown[][]>;

/** A Reader over a function that runs statements; that function decides which snapshot they see. */
export function readerOver(ask: Ask, vault = closedVault): Reader {
  return {
    vault,
    [run]: async (statement, values) => {
      const { text, bind, decode } = readyText(statement);
      return asRows((await ask(text, bind(values))).map(decode));
    },
  };
}

/** Runs reads on one snapshot, which is taken by the first of them. */
export async function readTogether<T>(
  server: PostgresServer,
  vault: Vault,
  reads: (db: Reader) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const link = new PostgresLink(await server.reserve());
    try {
      link.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      return await reads(readerOver((text, values) => link.ask(text, values), vault));
    } catch (error) {
      if (!link.isLost || attempt === ATTEMPTS_MAX) throw error;
      await server.reconnect();
    } finally {
      link.send("COMMIT");
      await link.settled();
      await link.release();
    }
  }
}
