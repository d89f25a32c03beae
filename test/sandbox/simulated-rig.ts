// The simulated gateway with its own database and clock and without a shop's payments, to test its
// answers alone.

import type { Id } from "#kernel/id.ts";
import { CALL_TIMES } from "#payments/port/gateway-times.ts";
import type { GatewayAttempt, GatewayRefund } from "#payments/port/gateway.ts";
import { openPaymentsShop } from "#payments/port/payments-shop.ts";
import type { Shop } from "#platform/database/shop.ts";
import { TimerRunner } from "#platform/scheduler/timers.ts";
import { magicBook } from "#sandbox/simulated-gateway/magic.ts";
import type { SignedNotice } from "#sandbox/simulated-gateway/notice.ts";
import { SimulatedGateway, simulatedPush } from "#sandbox/simulated-gateway/simulated.ts";

import { openModeDatabase, stillOpen } from "../support/database.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { TestClock } from "../support/shop.ts";

export interface SimulatedRig extends AsyncDisposable {
  readonly gateway: SimulatedGateway;
  readonly shop: Shop;
  /** What was pushed, in order. */
  readonly notices: SignedNotice[];
  /** Advances the clock by so many seconds and fires the pushes due on the way. */
  pass(seconds: number): Promise<void>;
  /** The same gateway on the same database, as after a restart. */
  restart(): Promise<SimulatedGateway>;
}

/** A gateway on an empty database. */
export async function openSimulatedRig(): Promise<SimulatedRig> {
  const folder = openScratchFolder();
  const clock = new TestClock();
  const notices: SignedNotice[] = [];
  let opened = await open();

  async function open() {
    const database = await openModeDatabase(folder.path, "test", clock);
    const bare: Shop = { mode: "test", database, clock, closing: stillOpen };
    const gateway = new SimulatedGateway({
      shop: bare,
      book: magicBook,
      pageUrl: (token) => `http://127.0.0.1/test/pay/${token}`,
      deliver: async (notice) => void notices.push(notice),
    });
    const shop = openPaymentsShop(bare, {
      gateways: [gateway],
      mayReturnTo: () => true,
      callTimes: CALL_TIMES,
      onTrouble: () => {},
      reopenGateways: () => Promise.resolve(),
    });
    const runner = new TimerRunner({
      shop,
      timers: [simulatedPush],
      onFault: (_, error) => {
        throw error;
      },
    });
    return { database, shop, gateway, runner };
  }

  return {
    gateway: opened.gateway,
    shop: opened.shop,
    notices,
    pass: async (seconds) => {
      for (let second = 0; second < seconds; second += 1) {
        clock.advance(1000);
        await opened.runner.fireDue();
      }
    },
    restart: async () => {
      await opened.database.close();
      opened = await open();
      return opened.gateway;
    },
    [Symbol.asyncDispose]: async () => {
      await opened.database.close();
      folder[Symbol.dispose]();
    },
  };
}

/** An attempt of 24.50 GHS by card, phone or hosted page. */
export function attempt(given: Partial<GatewayAttempt> = {}): GatewayAttempt {
  return {
    paymentId: "pay_01kf0000000000000000000001",
    gatewayReference: "pay-01kf0000000000000000000001-1",
    reference: "invoice-7",
    orderId: null,
    customerId: null,
    amountMinor: 2450,
    currency: "GHS",
    method: "gateway",
    phone: null,
    provider: null,
    cardToken: null,
    email: null,
    returnUrl: null,
    names: [],
    wasAsked: false,
    gatewayEndsAt: 2_100_000,
    gatewayAskedAt: 0,
    createdAt: 0,
    ...given,
  };
}

export function byCard(cardToken: string): GatewayAttempt {
  return attempt({ method: "card", cardToken });
}

export function byPhone(phone: string): GatewayAttempt {
  return attempt({ method: "mobile_money", phone });
}

/** A refund of this amount of an attempt. */
export function refundOf(
  paid: GatewayAttempt,
  amountMinor: number,
  refundId: Id<"refund"> = "ref_01kf0000000000000000000001",
): GatewayRefund {
  const { currency } = paid;
  const tried = {
    reference: refundId,
    gatewayRefundId: null,
    reason: "other",
    wasAsked: false,
    createdAt: 0,
  } as const;
  return { refundId, ...tried, amountMinor, currency, attempt: paid };
}
