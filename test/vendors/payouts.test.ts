// What gateways paid out, read from their lists: which payments a payout has, what was kept of them, and what no payout
// has yet.

import { describe, expect, test } from "bun:test";

import { payOut } from "#mocks/paystack/settlements.ts";
import { auditPayouts } from "#payments/payouts/audit-payouts.ts";
import { readPayouts } from "#payments/payouts/read-payouts.ts";
import type { Gateway } from "#payments/port/gateway.ts";

import { settle } from "../payments/scripted-shop.ts";
import { tamper } from "../support/behind-the-shop.ts";
import type { TestShop } from "../support/shop.ts";
import { openPaystackShop, payOnPage } from "./paystack/paystack-shop.ts";
import { openStripeShop, payByCard, type StripeShop } from "./stripe/stripe-shop.ts";

const DAY_MS = 86_400_000;

/** A shop whose gateway pays out. */
interface PayingOut extends AsyncDisposable {
  readonly shop: TestShop;
  readonly gateway: Gateway;
  /** Sells two mugs, and the customer pays. Returns the payment's id. */
  readonly sell: () => Promise<string>;
  readonly refund: (payment: string) => Promise<void>;
  /** Days pass at the vendor and in the shop, after which the vendor pays out what it has. */
  readonly payOut: () => Promise<void>;
  readonly fails: () => Promise<void>;
  /** The vendor has paid out so often before. */
  readonly paidOutBefore: (times: number) => void;
}

const vendors: Readonly<Record<string, () => Promise<PayingOut>>> = {
  paystack: async () => {
    const opened = await openPaystackShop();
    const { shop, face } = opened;
    return Object.assign(opened, {
      sell: async () => {
        const { id } = await opened.order({}, 2);
        const payment = await shop.post("/v2/payments/initialize", { order_id: id });
        payOnPage(opened);
        await opened.told();
        return payment.string("/id");
      },
      refund: async (payment: string) => {
        await shop.post(`/v2/payments/${payment}/refunds`, { amount: "5.00" });
        await opened.told();
      },
      payOut: async () => {
        face.pass(3 * DAY_MS);
        payOut(face.account, "GHS");
        await Promise.resolve();
      },
      fails: async () => {
        for (const one of face.account.settlements) one.status = "failed";
        await Promise.resolve();
      },
      paidOutBefore: (times: number) => {
        const before = {
          currency: "GHS",
          createdAt: face.account.now(),
          status: "success",
        } as const;
        for (let done = 0; done < times; done += 1) {
          face.account.settlements.push({ ...before, id: face.account.newId() });
        }
      },
    });
  },
  stripe: async () => {
    const opened = await openStripeShop();
    const { shop, face } = opened;
    return Object.assign(opened, {
      sell: async () => {
        const { id } = await opened.order({}, 2);
        const payment = await payByCard(opened, id);
        await opened.told();
        return payment.string("/id");
      },
      refund: async (payment: string) => {
        await shop.post(`/v2/payments/${payment}/refunds`, { amount: "5.00" });
        await opened.told();
      },
      payOut: async () => {
        face.pass(3 * DAY_MS);
        face.dashboard.payOut(currencyOf(opened));
        face.pass(3 * DAY_MS);
        await Promise.resolve();
      },
      fails: async () => {
        for (const one of face.account.payouts.all()) face.dashboard.failPayout(one.id);
        await Promise.resolve();
      },
      paidOutBefore: (times: number) => {
        const at = face.account.now();
        const before = { createdAt: at, arrivesAt: at, amountMinor: 0, status: "paid" } as const;
        for (let done = 0; done < times; done += 1) {
          face.account.payouts.add({ ...before, id: face.account.newId("po"), currency: "ghs" });
        }
      },
    });
  },
};

function currencyOf({ face }: StripeShop): string {
  return face.account.charges.all().at(0)?.currency ?? "";
}

async function onlyPayout({ shop }: PayingOut) {
  const listed = await shop.get("/v2/payouts");
  return shop.get(`/v2/payouts/${String(Object(listed.list("/data")[0]).id)}`);
}

async function namesOf({ shop }: PayingOut): Promise<string[]> {
  const events = await shop.get("/v2/events?event=payout.*");
  return events.list("/data").map((event) => String(Object(event).event));
}

describe.each(Object.entries(vendors))("at %s, a payout", (_, open) => {
  test("has each payment of its charges, and what the gateway kept", async () => {
    await using opened = await open();
    const { shop } = opened;
    const sold = [await opened.sell(), await opened.sell()];
    await opened.payOut();

    await readPayouts(shop.test);

    const payout = await onlyPayout(opened);
    expect(payout.body).toMatchObject({
      status: "paid",
      into: "bank",
      gross_minor: 5_000,
      unknown_total_minor: 0,
    });
    expect(payout.at("/net_minor")).toBe(5_000 - Number(payout.at("/fee_minor")));
    expect(Number(payout.at("/fee_minor"))).toBeGreaterThan(0);
    const lines = payout.list("/lines").map(Object);
    expect(new Set(lines.map(({ payment_id }) => payment_id))).toEqual(new Set(sold));
    expect(lines.map(({ verdict }) => verdict)).toEqual(["matched", "matched"]);
    for (const id of sold) {
      expect((await shop.get(`/v2/payments/${id}`)).at("/payout_id")).toBe(payout.at("/id"));
    }
  });

  test("of an account that has paid out each day for years is listed with those before it", async () => {
    await using opened = await open();
    opened.paidOutBefore(1_500);
    await opened.sell();
    await opened.payOut();

    const listed = await opened.gateway.listPayouts?.(0, AbortSignal.timeout(20_000));

    expect(listed?.kind === "found" && listed.payouts.length).toBe(1_501);
  });

  test("that is read twice is announced once", async () => {
    await using opened = await open();
    await opened.sell();
    await opened.payOut();
    await readPayouts(opened.shop.test);

    await readPayouts(opened.shop.test);

    expect(await namesOf(opened)).toEqual(["payout.paid"]);
    expect((await opened.shop.get("/v2/payouts")).list("/data")).toHaveLength(1);
  });

  test("is less by what went back", async () => {
    await using opened = await open();
    await opened.refund(await opened.sell());
    await opened.payOut();

    await readPayouts(opened.shop.test);

    const payout = await onlyPayout(opened);
    expect(payout.at("/gross_minor")).toBe(2_000);
    const back = payout
      .list("/lines")
      .map(Object)
      .find(({ gross_minor: minor }) => minor < 0);
    expect([back?.gross_minor, back?.verdict]).toEqual([-500, "matched"]);
  });

  test("that the bank sends back has no payment any more", async () => {
    await using opened = await open();
    const payment = await opened.sell();
    await opened.payOut();
    await readPayouts(opened.shop.test);
    await opened.fails();

    await readPayouts(opened.shop.test);

    expect((await onlyPayout(opened)).at("/status")).toBe("failed");
    expect((await opened.shop.get(`/v2/payments/${payment}`)).at("/payout_id")).toBeNull();
    const events = (await opened.shop.get("/v2/events?event=payout.*")).list("/data").map(Object);
    expect(events.map(({ event, data }) => [event, data.was_paid])).toEqual([
      ["payout.paid", false],
      ["payout.failed", true],
    ]);
  });

  test("whose lines do not add up is not taken over", async () => {
    await using opened = await open();
    await opened.sell();
    await opened.payOut();
    const { gateway } = opened;
    const without: Gateway = Object.assign(Object.create(gateway), {
      listPayouts: (sinceMs: number, signal: AbortSignal) => gateway.listPayouts?.(sinceMs, signal),
      findPayoutLines: () => Promise.resolve({ kind: "found", lines: [] }),
    });

    await readPayouts(opened.shop.test, [without]);

    expect((await opened.shop.get("/v2/payouts")).list("/data")).toEqual([]);
  });

  test("leaves money that none has to be asked for after a week, but for what came before the first", async () => {
    await using opened = await open();
    const { shop } = opened;
    const first = await opened.sell();
    await opened.payOut();
    await readPayouts(shop.test);
    const later = await opened.sell();
    const missing = async () =>
      (await shop.get("/v2/payments?payout=missing")).list("/data").map((one) => Object(one).id);
    expect(await missing()).toEqual([]);

    shop.clock.advance(8 * DAY_MS);

    expect(await missing()).toEqual([later]);
    expect(first).not.toBe(later);
  });
});

test("Stripe tells of a payout, and its list is read before the hour is over", async () => {
  await using opened = await openStripeShop();
  const { shop, face } = opened;
  const { id } = await opened.order({}, 2);
  await payByCard(opened, id);
  await opened.told();
  face.pass(3 * DAY_MS);
  face.dashboard.payOut(currencyOf(opened));
  face.pass(3 * DAY_MS);

  await opened.told();
  await settle(shop);

  const payouts = await shop.get("/v2/payouts?source=stripe&status=paid");
  expect(payouts.list("/data")).toHaveLength(1);
  expect(await Array.fromAsync(auditPayouts(shop.test.database.read))).toEqual([]);
});

test("a charge of others at the same account is unknown, and told as a sum", async () => {
  await using opened = await openPaystackShop();
  const { shop, face } = opened;
  await fetch(`${face.server.url}/transaction/initialize`, {
    method: "POST",
    headers: { Authorization: `Bearer ${face.secret}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      email: "a@b.example",
      amount: 700,
      currency: "GHS",
      reference: "theirs",
      callback_url: "https://other.example/",
    }),
  });
  face.payOnPage("theirs", "pm_card_visa");
  face.pass(3 * DAY_MS);
  payOut(face.account, "GHS");

  await readPayouts(shop.test);

  const listed = await shop.get("/v2/payouts");
  const payout = await shop.get(`/v2/payouts/${String(Object(listed.list("/data")[0]).id)}`);
  expect(payout.at("/lines/0")).toMatchObject({ reference: "theirs", verdict: "unknown" });
  expect(payout.at("/unknown_total_minor")).toBe(700);
});

/** A shop of Stripe with one payout, and the payment that it has. */
async function paidOut() {
  const opened = await openStripeShop();
  const { shop, face } = opened;
  const { id } = await opened.order({}, 2);
  const payment = await payByCard(opened, id);
  await opened.told();
  face.pass(3 * DAY_MS);
  face.dashboard.payOut(currencyOf(opened));
  face.pass(3 * DAY_MS);
  await readPayouts(shop.test);
  return Object.assign(opened, { payment: payment.string("/id") });
}

describe("the check finds", () => {
  test("a payment that is not in the payout that has its charge", async () => {
    await using opened = await paidOut();

    await tamper(opened.shop.folder.path, "UPDATE payments SET payout_id = NULL");

    expect(await Array.fromAsync(auditPayouts(opened.shop.test.database.read))).toMatchObject([
      { subject: opened.payment, what: "payout", found: "none" },
    ]);
  });

  test.each([
    [
      "the sum of a payout",
      "gross_minor = gross_minor + 1, net_minor = net_minor + 1",
      "gross_minor",
    ],
    ["the fee of a payout", "fee_minor = fee_minor + 1, net_minor = net_minor - 1", "fee_minor"],
  ])("%s that is not that of its lines", async (_, change, what) => {
    await using opened = await paidOut();

    await tamper(opened.shop.folder.path, `UPDATE payouts SET ${change}`);

    expect(await Array.fromAsync(auditPayouts(opened.shop.test.database.read))).toMatchObject([
      { what },
    ]);
  });
});
