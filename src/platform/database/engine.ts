// Which database engine this program runs on. It is known before anything else, because tables and
// statements are made for it when their files are loaded; nothing changes it afterwards.

import { isSettingGiven } from "#platform/process/environment.ts";

export type Engine = "sqlite" | "postgres";

/** PostgreSQL wherever DUKA_DATABASE_URL is set, also to something of no use: that stops the start. */
export const engine: Engine = isSettingGiven("DUKA_DATABASE_URL") ? "postgres" : "sqlite";
