// A process of its own whose files may not grow: writes until the database cannot, and prints as JSON
// the outcome of every write.

import { Refusal } from "#kernel/refusal.ts";

import { bulky, crate, crateIds, insertCrate, openCrateDatabase } from "../../support/database.ts";
import { openBeside } from "../../support/sqlite-file.ts";

const directory = process.argv[2] ?? "";
const database = await openCrateDatabase(directory);
const acknowledged: string[] = [];
const codes = new Set<string>();
let acknowledgedAfterDamage = 0;

const keep = async (name: string, contents: string) => {
  try {
    await database.write((tx) => insertCrate(tx, crate(name, { contents })));
    acknowledged.push(name);
    if (codes.size > 0) acknowledgedAfterDamage += 1;
  } catch (error) {
    codes.add(error instanceof Refusal ? error.definition.code : String(error));
  }
};

await keep("the first fits", bulky);
// What no longer fits is followed by what would.
await Promise.all(
  Array.from({ length: 200 }, (_, index) => keep(`crate ${index}`, index < 100 ? bulky : "small")),
);
await keep("later", "small");
const found = new Set(await crateIds(database.read));
await database.close().catch(() => null);

const file = openBeside(`${directory}/test.sqlite`);
const integrity = file.query<{ integrity_check: string }, []>("PRAGMA integrity_check").get();
process.stdout.write(
  JSON.stringify({
    codes: [...codes],
    acknowledgedAreThere: acknowledged.length > 0 && acknowledged.every((name) => found.has(name)),
    acknowledgedAfterDamage,
    lost: acknowledged.filter((name) => !found.has(name)).length,
    integrity: integrity?.integrity_check,
  }),
);
