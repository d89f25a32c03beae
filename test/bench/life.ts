// What an order takes of the disk for good: the file of a year by its orders, and how long a backup of it takes.

import { statSync } from "node:fs";
import { join } from "node:path";

import { takeShop } from "./built-shop.ts";
import { runDuka } from "./programs.ts";

/** Measures the file of so many orders, and its backup: copy, proof and packing. */
export async function measureLife(
  scratch: string,
  terms: { readonly orders: number; readonly rebuild: boolean },
): Promise<void> {
  const { folder } = await takeShop(scratch, terms);
  const { size } = statSync(join(folder, "test.sqlite"));
  console.log(
    `${terms.orders} orders: ${(size / 1e9).toFixed(2)} GB, ${(size / terms.orders / 1000).toFixed(1)} kB an order`,
  );
  const from = performance.now();
  await runDuka(folder, ["backup", join(scratch, "copies")]);
  const seconds = (performance.now() - from) / 1000;
  console.log(`  backup: ${seconds.toFixed(0)} s, ${(size / 1e6 / seconds).toFixed(0)} MB/s`);
}
