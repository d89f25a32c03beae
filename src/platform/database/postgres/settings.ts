// What a PostgreSQL must be before a shop is put on it. Checked at every start: what is acknowledged there
// must be on its disk.

import type { PostgresServer } from "./server.ts";

/** The oldest PostgreSQL that is tested against, as server_version_num has it. */
const VERSION_MIN = 140_000;

/** A server that is there and will not do; nothing was changed on it. */
export class UnusableServer extends Error {
  constructor(faults: readonly string[]) {
    super(`This PostgreSQL cannot hold a shop: ${faults.join("; ")}.`);
    this.name = "UnusableServer";
  }
}

/** Throws UnusableServer with everything that is not as it must be. */
export async function requireUsable(server: PostgresServer): Promise<void> {
  const [row = []] = await server.ask(`
    SELECT current_setting('server_version_num')::int, current_setting('server_version'),
      current_setting('server_encoding'), current_setting('synchronous_commit'),
      current_setting('transaction_isolation'), current_setting('search_path')`);
  const [number, version, encoding, commit, isolation] = row;
  const faults: string[] = [];
  if (Number(number) < VERSION_MIN) faults.push(`it is version ${String(version)}, 14 is needed`);
  if (encoding !== "UTF8")
    faults.push(`its database is encoded in ${String(encoding)}, not in UTF8`);
  if (commit === "off") {
    faults.push("synchronous_commit is off, so that orders it acknowledged could be lost");
  }
  if (isolation !== "read committed") {
    faults.push(
      "it does not take the settings of a connection, as behind a pooler that shares connections " +
        "between transactions: connect to it directly, or pool whole sessions",
    );
  }
  if (faults.length > 0) throw new UnusableServer(faults);
}
