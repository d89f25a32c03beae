// Several programs that share one shop, each with its own data directory, as on machines of their own.
// Only on PostgreSQL.

import { databaseOf } from "./postgres-databases.ts";
import { openScratchFolder } from "./scratch.ts";
import { openTestShop, type TestShop } from "./shop.ts";

export interface Programs extends AsyncDisposable {
  readonly shops: readonly TestShop[];
  /** The programs in turn, as a load balancer spreads requests. */
  of(index: number): TestShop;
}

/** Starts this many programs at once on an empty database. */
export async function openPrograms(count: number): Promise<Programs> {
  await using opened = new AsyncDisposableStack();
  const home = opened.use(openScratchFolder());
  const settings = {
    DUKA_DATABASE_URL: await databaseOf(home.path),
    DUKA_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  const started = await Promise.allSettled(
    Array.from({ length: count }, () => openTestShop({ settings })),
  );
  const shops = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  for (const shop of shops) opened.use(shop);
  const failed = started.find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  const kept = opened.move();
  return {
    shops,
    of: (index) => {
      const shop = shops[index % shops.length];
      if (shop === undefined) throw new Error("There is no program.");
      return shop;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
