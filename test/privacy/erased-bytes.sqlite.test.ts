// The words of an erased person are in no byte of the shop's files and of later backups.

import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { shopProof } from "#cli/operator/backups/shop-proof.ts";
import { nextTurn, realClock } from "#kernel/time.ts";
import { takeBackup } from "#platform/backup/backup.ts";
import { indexText } from "#platform/database/search.ts";

import { basket, change } from "../sales/carts/basket.ts";
import { cancel, of, place } from "../sales/orders/counter.ts";
import { mug } from "../support/cast.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

setDefaultTimeout(60_000);

/** Parts of words that nothing else in a shop contains, in lower case. */
const words = ["quuxwanda", "vlarpstreet", "0788123987", "zbornakville", "gnarfnote"];
const address = { line1: "1 Vlarpstreet", city: "Zbornakville", country: "UG" };
const person = { name: "Xy Quuxwanda", email: "xy.quuxwanda@example.com", phone: "+256788123987" };

/** Which of the words are in the file. */
function wordsIn(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString("latin1").toLowerCase();
  return words.filter((word) => text.includes(word));
}

/** Resolves once the engine has emptied its log, which is the last step after an erasure. */
async function logEmptied({ test: { database } }: TestShop): Promise<void> {
  while ((await database.sizes()).log > 0) await nextTurn();
}

/** Texts of others, which fill the full-text index beyond what one step of its cleaning rewrites. */
async function indexOthers({ test: { database } }: TestShop, part: number): Promise<void> {
  await database.write(async (tx) => {
    for (let index = 0; index < 500; index += 1) {
      const subject = `other-${part}-${index}`;
      await indexText(
        tx,
        { kind: "customers", subject },
        `Other ${subject} of ${Bun.hash(subject)}`,
      );
    }
  });
}

/** A shop in which a person and many others have left traces; returns the person's id. */
async function leaveTraces(shop: TestShop): Promise<string> {
  const cup = await mug(shop);
  const customer = await shop.post("/v2/customers", person);
  const order = await place(shop, [of(cup)], {
    customer_id: customer.id,
    shipping_address: address,
    notes: "A gnarfnote",
  });
  const cart = await basket(shop, [of(cup)]);
  await change(shop, cart, { email: person.email, shipping_address: address });
  for (let index = 0; index < 6; index += 1) await indexOthers(shop, index);
  await cancel(shop, order);
  return customer.id;
}

test("an erased person is in no byte of the database, its log and a later backup", async () => {
  await using shop = await openTestShop();
  const customer = await leaveTraces(shop);
  const before = wordsIn(readFileSync(shop.folder.file("test.sqlite-wal")));

  const erased = await shop.post(`/v2/customers/${customer}/erase`);

  await shop.fireDue();
  await logEmptied(shop);
  const backup = await takeBackup(shop.folder.path, shop.folder.file("backups"), {
    vault: shop.test.database.vault,
    shop: shopProof,
    clock: realClock,
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  const packed = readFileSync(join(backup.path, "test.sqlite.zst"));
  expect(erased.status).toBe(200);
  expect(before).toContain("quuxwanda");
  expect(wordsIn(readFileSync(shop.folder.file("test.sqlite")))).toEqual([]);
  expect(wordsIn(readFileSync(shop.folder.file("test.sqlite-wal")))).toEqual([]);
  expect(wordsIn(Bun.zstdDecompressSync(packed))).toEqual([]);
});
