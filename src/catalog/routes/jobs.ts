// Scheduled jobs: products that an older version wrote are sorted by their names and filtered by their options, too,
// files of media that one wrote lose what is no pixel, and files of no medium are deleted.

import { indexProducts, isIndexing } from "#catalog/listing/index-products.ts";
import { unfoldedNames, writeNameKey } from "#catalog/listing/row-queries.ts";
import type { MediaShop } from "#catalog/media/media-shop.ts";
import { repairMedia } from "#catalog/media/repair-media.ts";
import { sweepFiles } from "#catalog/media/sweep-files.ts";
import { slugOf } from "#catalog/rows/product.ts";
import { DAY_MS, nextTurn, realClock } from "#kernel/time.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";

/** Products per transaction, so that no request waits for it. */
const AT_ONCE = 200;

/** Every minute; once all names are folded it reads one index. */
export function foldNamesJob(shops: readonly Shop[]): Job {
  return {
    name: "fold-names",
    pattern: "* * * * *",
    run: async () => {
      for (const shop of shops) await foldNames(shop);
    },
  };
}

async function foldNames({ database, closing }: Shop): Promise<void> {
  while (!closing.aborted) {
    const found = await unfoldedNames(database.read, { rows: AT_ONCE });
    if (found.length === 0) return;
    await database.write(async (tx) => {
      for (const { id, name } of found) await writeNameKey(tx, { id, name, nameKey: slugOf(name) });
    });
    await nextTurn();
  }
}

/** Every minute; once all products of older versions are indexed it reads one row. */
export function indexProductsJob(shops: readonly Shop[]): Job {
  return {
    name: "index-products",
    pattern: "* * * * *",
    run: async () => {
      for (const { database, closing } of shops) {
        while (!closing.aborted && (await isIndexing(database.read))) {
          await database.write(indexProducts);
          await nextTurn();
        }
      }
    },
  };
}

/** 50 files a second, so that the store and the disk have time for others. */
const FILE_MS = 20;

/** Every minute; once all media are looked at it reads those that came since. A start begins with the first again. */
export function repairMediaJob(shops: readonly MediaShop[]): Job {
  const lastOf = new Map<MediaShop, string>();
  return {
    name: "repair-media",
    pattern: "* * * * *",
    run: async () => {
      for (const shop of shops.filter(({ media }) => media.files !== null)) {
        const after = lastOf.get(shop) ?? "";
        const { last } = await repairMedia(shop, { after, rest: () => Bun.sleep(FILE_MS) });
        lastOf.set(shop, last);
      }
    },
  };
}

/** Every night. A file that is a day old belongs to no upload that is still at work. */
export function sweepFilesJob(shops: readonly MediaShop[]): Job {
  return {
    name: "sweep-files",
    pattern: "41 3 * * *",
    run: async () => {
      for (const shop of shops) await sweepFiles(shop, realClock.now() - DAY_MS);
    },
  };
}
