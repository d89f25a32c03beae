// As the clock is moved, the emails of what happens on the way are made on the way: later they would be old news.

import { followLog } from "#emails/sending/decide-emails.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Shop } from "#platform/database/shop.ts";

import type { Follower } from "./time-travel.ts";

/** Makes emails at each stop of the clock; their timers send them. */
export function followEmails(shop: Shop): Follower {
  return {
    name: "emails",
    isLocal: true,
    settle: async (isOver) => {
      for (let isMore = true; isMore && !isOver();) {
        await nextTurn();
        isMore = await followLog(shop);
      }
      return [];
    },
    nextDueAt: () => Promise.resolve(null),
    wake: () => undefined,
    forget: () => undefined,
  };
}
