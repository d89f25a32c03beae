// Requirements on a PostgreSQL server, checked at every start: acknowledged commits must be on its
// disk.

import type { PostgresServer } from "./server.ts";

/** The oldest tested version, in the form of server_version_num. */
const VERSION_MIN = 140_000;

/** The server does not meet the requirements; nothing was changed on it. */
export class UnusableServer extends Error {
  constructor(faults: readonly string[]) {
    super(`This PostgreSQL server cannot be used for a shop: ${faults.join("; ")}.`);
    this.name = "UnusableServer";
  }
}

/** Throws UnusableServer with every requirement that is not met. */
export async function requireUsable(server: PostgresServer): Promise<void> {
  const [row = []] = await server.ask(`
    SELECT current_setting('server_version_num')::int, current_setting('server_version'),
      current_setting('server_encoding'), current_setting('synchronous_commit'),
      current_setting('transaction_isolation'), current_setting('search_path')`);
  const [number, version, encoding, commit, isolation] = row;
  const faults: string[] = [];
  if (Number(number) < VERSION_MIN)
    faults.push(`it is version ${String(version)}, and 14 is the oldest supported`);
  if (encoding !== "UTF8")
    faults.push(`its database is encoded in ${String(encoding)}, and must be UTF8`);
  if (commit === "off") {
    faults.push("synchronous_commit is off, so acknowledged orders could be lost");
  }
  if (isolation !== "read committed") {
    faults.push(
      "it ignores the settings of a connection, as a pooler in transaction mode does: connect to the " +
        "server directly, or use a pooler in session mode",
    );
  }
  if (faults.length > 0) throw new UnusableServer(faults);
}
