// Random histories of one order's payments: notices that are true, repeated, late and out of order,
// polls, time, cancellations and restarts, compared with the gateway's own records.

import { expect, test } from "bun:test";

import fc from "fast-check";

import type { GatewayAttempt, PaymentOutcome } from "#payments/port/gateway.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { runs } from "../support/runs.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { Answered, openTestShop, type TestShop } from "../support/shop.ts";
import { initialize, notify, orderCounter, pass, settle } from "./scripted-shop.ts";

const OWED_MINOR = 1250;
const HOUR_S = 3_600;
/** How long the gateway is polled; later money without a notice cannot be known. */
const WATCHED_S = 72 * HOUR_S;
const ATTEMPTS_MAX = 3;
/** Histories per run. */
const RUNS = runs(6);

/** A gateway that can also decline. */
class DecliningGateway extends ScriptedGateway {
  readonly declined = new Set<string>();

  override verify(attempt: GatewayAttempt): Promise<PaymentOutcome> {
    if (!this.declined.has(attempt.paymentId)) return super.verify(attempt);
    return Promise.resolve({
      state: "failed",
      failureCode: "declined",
      gatewayCode: null,
      names: [],
    });
  }
}

/** What the gateway has recorded of an attempt. */
type Truth = "open" | "declined" | "paid" | "unmatched";

interface Attempt {
  readonly id: string;
  readonly madeAtS: number;
  truth: Truth;
  paidMinor: number;
}

interface World {
  readonly folder: ScratchFolder;
  readonly gateway: DecliningGateway;
  readonly order: string;
  readonly attempts: Attempt[];
  shop: TestShop;
  elapsedS: number;
}

type Take = (world: World) => Promise<void>;

interface Step {
  readonly take: Take;
  toString(): string;
}

function step(name: string, take: Take): Step {
  return { take, toString: () => name };
}

/** A step about one of the attempts. */
function about(name: string, take: (world: World, attempt: Attempt) => Promise<void>) {
  return fc.nat({ max: ATTEMPTS_MAX - 1 }).map((pick) =>
    step(`${name} ${pick}`, async (world) => {
      const attempt = world.attempts[pick % world.attempts.length];
      if (attempt !== undefined) await take(world, attempt);
    }),
  );
}

async function passing(world: World, seconds: number): Promise<void> {
  await pass(world.shop, seconds);
  world.elapsedS += seconds;
}

const methods = [
  { method: "gateway" },
  { method: "mobile_money", phone: "+233551234000" },
  { method: "mobile_money", phone: "+233551234001" },
];

async function ask(world: World, by: object): Promise<void> {
  if (world.attempts.length >= ATTEMPTS_MAX) return;
  const answer = await initialize(world.shop, { order_id: world.order, ...by });
  expect([200, 201, 409]).toContain(answer.status);
  if (answer.status !== 201) return;
  const { elapsedS: madeAtS } = world;
  world.attempts.push({ id: answer.id, madeAtS, truth: "open", paidMinor: 0 });
}

const asking = fc
  .constantFrom(...methods)
  .map((by) => step(`ask ${JSON.stringify(by)}`, (world) => ask(world, by)));

const askingInVain = fc.constantFrom(...methods.slice(1)).map((by) =>
  step(`ask ${by.phone}, the answer is lost`, async (world) => {
    world.gateway.nextAnswer = async () => ({ kind: "unknown" });
    await ask(world, by);
    world.gateway.nextAnswer = null;
  }),
);

const amounts = fc.constantFrom(
  { amountMinor: OWED_MINOR },
  { amountMinor: OWED_MINOR },
  { amountMinor: OWED_MINOR },
  { amountMinor: OWED_MINOR + 100 },
  { amountMinor: OWED_MINOR - 1 },
  { currency: "GHS" },
);

const paying = fc.tuple(fc.nat({ max: 2 }), amounts).map(([pick, came]) =>
  step(`pay ${pick} ${JSON.stringify(came)}`, async ({ gateway, attempts, elapsedS }) => {
    const attempt = attempts[pick % attempts.length];
    if (attempt?.truth !== "open" || elapsedS >= attempt.madeAtS + WATCHED_S) return;
    gateway.pay(attempt.id, came);
    const isWhole = "amountMinor" in came && (came.amountMinor ?? 0) >= OWED_MINOR;
    attempt.truth = isWhole ? "paid" : "unmatched";
    attempt.paidMinor = "amountMinor" in came ? (came.amountMinor ?? 0) : OWED_MINOR;
  }),
);

const declining = about("decline", async ({ gateway }, attempt) => {
  if (attempt.truth !== "open") return;
  gateway.declined.add(attempt.id);
  attempt.truth = "declined";
});

const noticing = fc
  .tuple(fc.nat({ max: 2 }), fc.nat({ max: 2 }), fc.integer({ min: 1, max: 3 }))
  .map(([pick, name, copies]) =>
    step(`notice ${name} of ${pick}, ${copies} times`, async ({ shop, gateway, attempts }) => {
      const attempt = attempts[pick % attempts.length];
      if (attempt === undefined) return;
      const notice = { payment: attempt.id, id: `${attempt.id} ${name}` };
      const answers = await Promise.all(
        Array.from({ length: copies }, () => notify(shop, gateway, notice)),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }),
  );

const waiting = fc
  .constantFrom(1, 11, 15, 60, 200, 1_000, HOUR_S + 60, 25 * HOUR_S)
  .map((seconds) => step(`wait ${seconds} s`, (world) => passing(world, seconds)));

const reading = about("read", async ({ shop }, { id }) => {
  await Promise.all([shop.get(`/v2/payments/${id}`), shop.get(`/v2/payments/${id}`)]);
});

const cancelling = about("cancel", async ({ shop }, { id }) => {
  expect([200, 409]).toContain((await shop.post(`/v2/payments/${id}/cancel`)).status);
});

const refunding = about("refund 2.00 of", async ({ shop }, { id }) => {
  const refunded = await shop.post(`/v2/payments/${id}/refunds`, { amount: 2 });
  expect([201, 409, 422]).toContain(refunded.status);
});

const cancellingTheOrder = fc.constant(
  step("cancel the order", async ({ shop, order }) => {
    expect([200, 409]).toContain((await shop.put(`/v2/orders/${order}/cancel`)).status);
  }),
);

async function restart(world: World): Promise<void> {
  await world.shop[Symbol.asyncDispose]();
  world.shop = await openTestShop({ folder: world.folder, gateways: [world.gateway] });
}

const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: asking },
    { weight: 1, arbitrary: askingInVain },
    { weight: 5, arbitrary: paying },
    { weight: 1, arbitrary: declining },
    { weight: 4, arbitrary: noticing },
    { weight: 4, arbitrary: waiting },
    { weight: 2, arbitrary: reading },
    { weight: 2, arbitrary: cancelling },
    { weight: 1, arbitrary: refunding },
    { weight: 1, arbitrary: cancellingTheOrder },
    { weight: 1, arbitrary: fc.constant(step("restart", restart)) },
  ),
  { minLength: 4, maxLength: 12, size: "max" },
);

const CAPTURED = new Set<unknown>(["succeeded", "partially_refunded", "refunded"]);

/** The attempts as the shop has them, in the order of the model. */
async function look({ shop, order, attempts }: World): Promise<Answered[]> {
  const listed = await shop.get(`/v2/payments?order_id=${order}`);
  const rows = listed.list("/data").map((row) => JSON.stringify(row));
  const all = rows.map((text) => new Answered(listed.status, listed.headers, text));
  return attempts.map(({ id }) => {
    const found = all.find((one) => one.id === id);
    if (found === undefined) throw new Error(`${id} is lost.`);
    return found;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Invariants at any moment. */
async function expectSoundness(world: World): Promise<void> {
  await settle(world.shop);
  const [payments, order] = await Promise.all([
    look(world),
    world.shop.get(`/v2/orders/${world.order}`),
  ]);
  const captured = payments
    .filter((payment) => CAPTURED.has(payment.at("/status")))
    .map((payment) => payment.number("/captured_total_minor"));
  expect(order.at("/paid_total_minor")).toBe(sum(captured));
  for (const { id, paidMinor } of world.attempts) {
    const sent = [...world.gateway.refunds.values()].filter(
      ({ attempt }) => attempt.paymentId === id,
    );
    expect(sum(sent.map(({ amountMinor }) => amountMinor))).toBeLessThanOrEqual(paidMinor);
  }
  await expectNewsOnce(world);
  const { read } = world.shop.test.database;
  expect(await Array.fromAsync(auditPayments(read))).toEqual([]);
  expect(await Array.fromAsync(auditOrders(read))).toEqual([]);
}

/** An order is paid once, and a payment succeeds and fails at most once each. */
async function expectNewsOnce({ shop }: World): Promise<void> {
  const counts: Record<string, number> = {};
  const once = new Set(["order.paid", "payment.succeeded", "payment.failed", "payment.review"]);
  for (const { name, data } of await shop.events()) {
    if (!once.has(name)) continue;
    const subject = name === "order.paid" ? "" : String(JSON.parse(data).reference);
    counts[`${name} ${subject}`] = (counts[`${name} ${subject}`] ?? 0) + 1;
  }
  expect(Object.entries(counts).filter(([, times]) => times > 1)).toEqual([]);
}

const ends: Readonly<Record<Truth, readonly string[]>> = {
  open: ["failed", "cancelled", "expired", "review"],
  declined: ["failed", "cancelled", "expired"],
  paid: ["succeeded", "partially_refunded", "refunded"],
  unmatched: ["review"],
};

/** Invariants when nothing is pending: no money is lost, and none is kept that was not due. */
async function expectTheTruth(world: World): Promise<void> {
  await passing(world, WATCHED_S + HOUR_S);
  await expectSoundness(world);
  const payments = await look(world);
  for (const [at, { truth }] of world.attempts.entries()) {
    expect(ends[truth]).toContain(payments[at]?.string("/status") ?? "");
  }
  const order = await world.shop.get(`/v2/orders/${world.order}`);
  const whole = payments.filter((_, at) => world.attempts[at]?.truth === "paid");
  const returned = whole.filter((payment) => payment.at("/status") === "refunded");
  const isCancelled = order.at("/status") === "cancelled";
  expect(returned).toHaveLength(isCancelled ? whole.length : Math.max(0, whole.length - 1));
  const emitted = (await world.shop.events()).filter(({ name }) => name === "order.paid");
  if (!isCancelled) expect(emitted).toHaveLength(Math.min(1, whole.length));
}

async function openWorld(folder: ScratchFolder): Promise<World> {
  const gateway = new DecliningGateway();
  const shop = await openTestShop({ folder, gateways: [gateway] });
  const placed = await (await orderCounter(shop))();
  const world = { folder, gateway, shop, order: placed.id, attempts: [], elapsedS: 0 };
  await ask(world, {});
  return world;
}

test("no history loses money, captures it twice or emits an event twice", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      using folder = openScratchFolder();
      const world = await openWorld(folder);
      try {
        for (const { take } of taken) {
          await take(world);
          await expectSoundness(world);
        }
        await expectTheTruth(world);
      } finally {
        await world.shop[Symbol.asyncDispose]();
      }
    }),
    { numRuns: RUNS },
  );
}, 180_000);
