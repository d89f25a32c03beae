// Several programs that share one shop, each with a data directory of its own, as on machines of their
// own. Only on PostgreSQL.

import { databaseOf } from "./postgres-databases.ts";
import { openScratchFolder } from "./scratch.ts";
import { openTestShop, type TestShop } from "./shop.ts";

export interface Programs extends AsyncDisposable {
  readonly shops: readonly TestShop[];
  /** One program after the other, as whoever spreads requests over them. */
  of(index: number): TestShop;
}

/** Starts so many at the same moment on a database that is empty. */
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
