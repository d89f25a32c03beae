// Two programs that share one shop and one gateway, as on machines of their own; the gateway counts how
// often it is asked. Only on PostgreSQL.

import type { GatewayAttempt, GatewayRefund } from "#payments/gateways/port.ts";

import { databaseOf } from "../support/postgres-databases.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

/** Knows no key: each call charges, each call pays. */
export class CountingGateway extends ScriptedGateway {
  initiations = 0;
  payouts = 0;

  override initiate(attempt: GatewayAttempt) {
    this.initiations += 1;
    return super.initiate(attempt);
  }

  override refund(refund: GatewayRefund) {
    this.payouts += 1;
    return super.refund(refund);
  }
}

export interface TwoTills extends AsyncDisposable {
  readonly gateway: CountingGateway;
  readonly one: TestShop;
  readonly other: TestShop;
  /** The data directory that the database is found by. */
  readonly directory: string;
}

/** Starts both on an empty database. */
export async function openTwoTills(): Promise<TwoTills> {
  await using opened = new AsyncDisposableStack();
  const home = opened.use(openScratchFolder());
  const settings = {
    DUKA_DATABASE_URL: await databaseOf(home.path),
    DUKA_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  const gateway = new CountingGateway();
  const one = opened.use(await openTestShop({ settings, gateways: [gateway] }));
  const other = opened.use(await openTestShop({ settings, gateways: [gateway] }));
  const kept = opened.move();
  return {
    gateway,
    one,
    other,
    directory: home.path,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Something that begins and does not end before it is told to. */
export function held<T>(answer: T) {
  const [begun, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    begun: begun.promise,
    end: told.resolve,
    answer: async (): Promise<T> => {
      begun.resolve();
      await told.promise;
      return answer;
    },
  };
}
