// A rebuild of the search index that is killed (SIGKILL) goes on behind the last part that was committed.

import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";

import { openLog } from "#platform/log/log.ts";
import { rebuildSearchJob } from "#rebuild-search.ts";

import { rowsBehind, tamper } from "../support/behind-the-shop.ts";
import { indexAsBefore } from "../support/former-search.ts";
import { databaseSettings } from "../support/postgres-databases.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

setDefaultTimeout(120_000);

const PRODUCTS = 320;
/** The key with which `openModeDatabase` opens. */
const settings = { DUKA_SECRET_KEY: Buffer.alloc(32, 7).toString("base64") };

/** Stocks a shop whose texts are indexed as before, and stops it. */
async function stock(shop: TestShop): Promise<void> {
  const texts: Record<string, string> = {};
  for (let n = 0; n < PRODUCTS; n += 1) {
    const name = `Καφές ${n} KT-INS${n}-DRE`;
    texts[(await shop.post("/v2/products", { name })).id] = name;
  }
  await shop.duka.stop();
  await indexAsBefore(shop.folder.path, "products", texts);
  await tamper(
    shop.folder.path,
    "DELETE FROM search_spellings",
    `INSERT INTO search_rebuilds (kind, after, done, total) VALUES ('products', '', 0, ${PRODUCTS})`,
  );
}

/** Lets a process do so many parts, kills it in the next ones, and returns what it said last. */
async function killAfter(directory: string, parts: number): Promise<number> {
  const script = join(import.meta.dir, "rebuild-until-killed.ts");
  const child = Bun.spawn([process.execPath, script, directory], {
    env: { ...process.env, ...(await databaseSettings(directory)) },
    stdout: "pipe",
  });
  let said = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    said += decoder.decode(chunk, { stream: true });
    if (said.split("\n").length > parts) child.kill("SIGKILL");
  }
  await child.exited;
  return Number(said.split("\n").at(-2));
}

test("killed twice half way, it goes on, and at its end each product is found", async () => {
  await using shop = await openTestShop({ settings });
  await stock(shop);
  const { path } = shop.folder;

  const said: number[] = [];
  const done: number[] = [];
  for (const parts of [1, 2]) {
    said.push(await killAfter(path, parts));
    const [row] = await rowsBehind(path, "SELECT done FROM search_rebuilds");
    done.push(Number(row?.["done"]));
  }
  await using again = await openTestShop({ folder: shop.folder, settings });
  const meanwhile = await again.get("/v2/products/facets?q=Καφές");
  await rebuildSearchJob([again.test], openLog({ level: "error" })).run();
  const [folded, joined, corrected] = [
    await again.get("/v2/products/facets?q=ΚΑΦΕΣ"),
    await again.get("/v2/products/facets?q=ktins319dre"),
    await again.get("/v2/products/facets?q=καφεζς"),
  ];

  // A part may be committed that was not said any more.
  expect(said.map((number, at) => number <= (done[at] ?? 0))).toEqual([true, true]);
  expect(done.toSorted((one, other) => one - other)).toEqual(done);
  expect(done.at(-1)).toBeLessThan(PRODUCTS);
  expect([meanwhile, folded, joined].map((one) => one.at("/total"))).toEqual([
    PRODUCTS,
    PRODUCTS,
    1,
  ]);
  expect(corrected.at("/corrected_q")).toBe("καφεσ");
  expect(await rowsBehind(path, "SELECT * FROM search_rebuilds")).toEqual([]);
});
