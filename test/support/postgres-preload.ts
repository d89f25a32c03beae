// Chooses the engine of a test run before any module of the shop is loaded: PostgreSQL, on a server of the
// run's own, if STORE says so, else SQLite, whatever the developer's shell has set.

import { startPostgres } from "./postgres-server.ts";

delete process.env.DUKA_DATABASE_URL;

const chosen = process.env.STORE ?? "";
if (chosen === "postgres") {
  process.env.DUKA_DATABASE_URL = (await startPostgres()).url("duka");
} else if (chosen !== "" && chosen !== "sqlite") {
  throw new Error(`STORE=${chosen} is no engine: postgres, or sqlite as without it.`);
}
