// Two programs that share one shop and one vendor, as on machines of their own. Only on PostgreSQL.

import type { Gateway } from "#payments/port/gateway.ts";

import { databaseOf } from "../support/postgres-databases.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

export interface TwoPrograms extends AsyncDisposable {
  readonly one: TestShop;
  readonly other: TestShop;
  /** The data directory that the database belongs to. */
  readonly directory: string;
}

/** Starts both on an empty database, with one scripted gateway. */
export async function openTwoPrograms(): Promise<TwoPrograms & { gateway: ScriptedGateway }> {
  const gateway = new ScriptedGateway();
  return { gateway, ...(await openProgramsWith(() => gateway)) };
}

/** Starts both on an empty database, each with a gateway of its own. */
export async function openProgramsWith(construct: () => Gateway): Promise<TwoPrograms> {
  await using opened = new AsyncDisposableStack();
  const home = opened.use(openScratchFolder());
  const settings = {
    DUKA_DATABASE_URL: await databaseOf(home.path),
    DUKA_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  const one = opened.use(await openTestShop({ settings, gateways: [construct()] }));
  const other = opened.use(await openTestShop({ settings, gateways: [construct()] }));
  const kept = opened.move();
  return {
    one,
    other,
    directory: home.path,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** A call that begins and does not return before the test ends it. */
export function paused<T>(answer: T) {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    begun: begun.promise,
    end: ended.resolve,
    answer: async (): Promise<T> => {
      begun.resolve();
      await ended.promise;
      return answer;
    },
  };
}
