// A scheduled job: files of no medium are deleted.

import { DAY_MS, realClock } from "#kernel/time.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";

import type { MediaShop } from "./media-shop.ts";
import { sweepFiles } from "./sweep-files.ts";

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
