// Hands the fixed program what Duka sells, by the answers of Duka's API, so that both take the same orders.

import { writeFileSync } from "node:fs";

import type { Supply } from "./bare-tables.ts";
import type { Duka } from "./programs.ts";
import { ask } from "./shop.ts";

/** Writes goods, customers and the hash of the key of a shop to a file. */
export async function writeSupply(duka: Duka, path: string): Promise<void> {
  const supply: Supply = {
    keyHashes: [Bun.CryptoHasher.hash("sha256", duka.key, "hex")],
    customers: await allOf(duka, "/v2/customers"),
    products: await allOf(duka, "/v2/products"),
  };
  writeFileSync(path, JSON.stringify(supply));
}

/** Reads a list page by page. */
async function allOf<T>(duka: Duka, path: string): Promise<T[]> {
  const rows: T[] = [];
  for (let query = "?limit=100"; query !== "";) {
    const page = JSON.parse(await ask(duka, ["GET", path + query]));
    rows.push(...page.data);
    query = page.has_more ? `?limit=100&cursor=${page.next_cursor}` : "";
  }
  return rows;
}
