// A shop whose books can be read.

import type { Database } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { CatchUp, stillCounting } from "#platform/event-log/catch-up.ts";
import { getStore } from "#shop/store/lookups.ts";

interface Books {
  readonly booksCatchUp: CatchUp;
}

export interface BooksShop extends Shop, Books {}

const loadBooks = async () => (await import("./project-bookings.ts")).booksProjection;

/** The memory of the books beside their database. */
export function openBooks(database: Database): Books {
  return { booksCatchUp: new CatchUp(database, loadBooks) };
}

/**
 * Afterwards every event that was committed before the call is booked. Refuses with `analytics_behind` while they are
 * not, also where the database accepts no writes: a sum that lacks money is worse than none.
 */
export async function requireBooked({ booksCatchUp, database }: BooksShop): Promise<void> {
  const backlog = await booksCatchUp.run();
  if (backlog.behind === 0) return;
  const { timezone } = await getStore(database.read);
  throw await stillCounting(database.read, backlog, timezone);
}
