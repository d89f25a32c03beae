// A process of its own with a listener that throws: says as JSON what went on all the same.

import { eventsAfter } from "#platform/event-log/event-log.ts";

import { openCrateDatabase } from "../../support/database.ts";

const uncaught: string[] = [];
process.on("uncaughtException", (error) => uncaught.push(error.message));
process.on("unhandledRejection", () => uncaught.push("an unexpected rejection"));

const database = await openCrateDatabase(process.argv[2] ?? "");
let heardByTheNext = 0;
database.onAnnounced(() => {
  throw new Error("the listener broke");
});
const heardTwice = Promise.withResolvers<void>();
database.onAnnounced(() => {
  heardByTheNext += 1;
  if (heardByTheNext === 2) heardTwice.resolve();
});

const packed = { name: "crate.packed", subject: "a", data: null };
await database.write((tx) => tx.emit(packed));
await Promise.race([database.write((tx) => tx.emit(packed)), Bun.sleep(2000)]);
await Promise.race([heardTwice.promise, Bun.sleep(2000)]);
const log = await eventsAfter(database.read, { after: 0, limit: 10 });

process.stdout.write(
  JSON.stringify({
    uncaught: [...new Set(uncaught)],
    // A PostgreSQL database may announce once more what its poll found.
    isHeardByTheNext: heardByTheNext >= 2 && heardByTheNext === uncaught.length,
    sequences: log.map((event) => event.sequence),
  }),
  () => process.exit(0),
);
