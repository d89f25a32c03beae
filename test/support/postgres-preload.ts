// Which engine a run of the tests is on, settled before anything of the shop is loaded: PostgreSQL where
// STORE says so, on a server of the run's own, else the embedded one, whatever the developer's shell says.

import { startPostgres } from "./postgres-server.ts";

delete process.env.DUKA_DATABASE_URL;

const asked = process.env.STORE ?? "";
if (asked === "postgres") {
  process.env.DUKA_DATABASE_URL = (await startPostgres()).url("duka");
} else if (asked !== "" && asked !== "sqlite") {
  throw new Error(`STORE=${asked} is no engine: postgres, or sqlite as without it.`);
}
