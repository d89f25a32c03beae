// As the clock is moved, the emails of what happens on the way are made on the way: later they would be old news.

import { followLog } from "#emails/sending/decide-emails.ts";
import type { Shop } from "#platform/database/shop.ts";

import type { Follower } from "./time-travel.ts";

/** Makes emails at each stop of the clock; their timers send them. */
export function followEmails(shop: Shop): Follower {
  return {
    isLocal: true,
    settle: async (isOver) => {
      let isMore = true;
      while (isMore && !isOver()) isMore = await followLog(shop);
      return [];
    },
    nextDueAt: () => Promise.resolve(null),
    wake: () => undefined,
    forget: () => undefined,
  };
}
