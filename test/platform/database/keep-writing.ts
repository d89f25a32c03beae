// A process of its own that writes until it is killed, eight writes at a time, and says the id of
// each row as soon as it was acknowledged.

import { writeSync } from "node:fs";

import { newId } from "#kernel/id.ts";
import { realClock } from "#kernel/time.ts";

import { crate, insertCrate, openCrateDatabase } from "../../support/database.ts";

const database = await openCrateDatabase(process.argv[2] ?? "");

async function writeForEver(): Promise<never> {
  for (;;) {
    // Of the one kind that a database without nouns has.
    const id = newId("event", realClock.now());
    await database.write(async (tx) => {
      await insertCrate(tx, crate(id));
      await tx.emit({ name: "crate.packed", subject: id, data: null });
    });
    writeSync(1, `${id}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, writeForEver));
