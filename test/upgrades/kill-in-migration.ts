// A process of its own that migrates the test shop of a data directory, and is killed within a migration: all its
// statements are done, and it is not committed.

import "#nouns.ts";

import { realClock } from "#kernel/time.ts";
import { parseConfig } from "#platform/config/config.ts";
import { migrateDatabase } from "#platform/database/open-database.ts";

const [directory = "", name = ""] = process.argv.slice(2);
const { dataDirectory, server } = parseConfig({ ...process.env, DUKA_DATA_DIR: directory });
/** A new shop is told of no step, so its first migration is meant until one is told. */
let current = name;
/** It is asked when a migration was applied, right before that is written and committed. */
const clock = {
  now(): number {
    if (current === name) process.kill(process.pid, "SIGKILL");
    return realClock.now();
  },
};
const onStep = ({ step }: { readonly step: string }) => (current = step);
await migrateDatabase("test", { directory: dataDirectory, server }, { clock, onStep });
