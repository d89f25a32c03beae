// The database engine of this program. It is decided before other modules load, because tables and
// statements are built for one engine at load time, and never changes afterwards.

import { isSettingGiven } from "#platform/process/environment.ts";

export type Engine = "sqlite" | "postgres";

/** PostgreSQL if DUKA_DATABASE_URL is set, even to an invalid value: that fails the start later. */
export const engine: Engine = isSettingGiven("DUKA_DATABASE_URL") ? "postgres" : "sqlite";
