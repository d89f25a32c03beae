// Scheduled job: the texts that an older version indexed are indexed anew. Searches find them meanwhile, too.

import { productTexts } from "#catalog/listing/product-texts.ts";
import { customerTexts } from "#customers/customer-texts.ts";
import { nextTurn, realClock } from "#kernel/time.ts";
import { findRebuilds, rebuildNext } from "#platform/database/search/rebuild.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { Log } from "#platform/log/log.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";

const texts = [productTexts, customerTexts];

/** The time between two lines of the log. */
const TOLD_MS = 5_000;

/** Every minute; once all texts are indexed anew it reads what it remembers. */
export function rebuildSearchJob(shops: readonly Shop[], log: Log): Job {
  return {
    name: "rebuild-search",
    pattern: "* * * * *",
    run: async () => {
      for (const shop of shops) await rebuildSearch(shop, log);
    },
  };
}

async function rebuildSearch({ mode, database, closing }: Shop, log: Log): Promise<void> {
  let toldAt = 0;
  let left = await findRebuilds(database.read);
  if (left.length === 0) return;
  while (!closing.aborted && left.length > 0) {
    if (realClock.now() >= toldAt + TOLD_MS) {
      toldAt = realClock.now();
      for (const { kind, done, total } of left)
        log.info("The search index is being rebuilt.", { mode, kind, done, total });
    }
    const [next] = texts.filter(({ kind }) => left.some((one) => one.kind === kind));
    if (next === undefined) return;
    await database.write((tx) => rebuildNext(tx, next));
    await nextTurn();
    left = await findRebuilds(database.read);
  }
  if (left.length === 0) log.info("The search index is rebuilt.", { mode });
}
