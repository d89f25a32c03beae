// A process of its own that indexes the products of a data directory anew, and says after each part how many it did, until
// it is killed. Argument: the directory.

import { writeSync } from "node:fs";

import "#nouns.ts";

const { productTexts } = await import("#catalog/listing/product-texts.ts");
const { findRebuilds, rebuildNext } = await import("#platform/database/search/rebuild.ts");
const { openModeDatabase } = await import("../support/database.ts");

const database = await openModeDatabase(process.argv[2] ?? "", "test");
for (;;) {
  await database.write((tx) => rebuildNext(tx, productTexts));
  const [left] = await findRebuilds(database.read);
  writeSync(1, `${left?.done ?? "all"}\n`);
}
