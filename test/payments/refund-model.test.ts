// Random lives of the refunds of one order, paid through a gateway and by hand: gateways that answer anything,
// time, retries, closes, approvals, compared with what is known of each refund.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { arrow } from "#kernel/machine.ts";
import type { RefundOutcome } from "#payments/port/gateway.ts";
import { refundLife, refundStates, type RefundStatus } from "#payments/rows/payment-life.ts";

import { runs, seedOfRun } from "../support/runs.ts";
import type { ScriptedGateway } from "../support/scripted-gateway.ts";
import { Answered, type TestShop } from "../support/shop.ts";
import { auditsOf } from "./refund-counter.ts";
import { initialize, openScriptedShop, orderCounter, pass, settle } from "./scripted-shop.ts";

const RUNS = runs(8);
const QUANTITY = 4;
/** The part that is paid through the gateway, major units. */
const BY_GATEWAY = 30;

const refundActions = [
  "work",
  "succeed",
  "fail",
  "stop",
  "retry",
  "close",
  "cancel",
  "ask",
  "approve",
  "decline",
  "lapse",
] as const;

interface World {
  readonly shop: TestShop;
  readonly gateway: ScriptedGateway;
  readonly order: string;
  readonly payments: readonly string[];
  /** The key of one who refunds 5.00 a day. */
  readonly staff: string;
}

interface Step {
  readonly take: (world: World) => Promise<unknown>;
  toString(): string;
}

function step(name: string, take: Step["take"]): Step {
  return { take, toString: () => name };
}

const outcomes: readonly RefundOutcome[] = [
  { kind: "failed", gatewayCode: "declined", gatewayRefundId: null },
  { kind: "failed", gatewayCode: "declined", gatewayRefundId: null },
  { kind: "needs_attention", gatewayRefundId: "r-1" },
  { kind: "processing", gatewayRefundId: "r-1" },
  { kind: "unknown" },
];

let given = 0;

/** The answer, in which the gateway names each refund otherwise, as gateways do. */
function named(answer: RefundOutcome): RefundOutcome {
  if (!("gatewayRefundId" in answer) || answer.gatewayRefundId === null) return answer;
  given += 1;
  return { ...answer, gatewayRefundId: `r-${given}` };
}

const scripting = fc.constantFrom(...outcomes).map((answer) =>
  step(`the gateway answers ${answer.kind}`, async ({ gateway }) => {
    gateway.nextRefund = named(answer);
  }),
);

const refunding = fc
  .tuple(fc.nat({ max: 3 }), fc.constantFrom(2, 5, 20), fc.constantFrom(null, ...outcomes))
  .map(([pick, amount, answer]) =>
    step(`refund ${amount} of ${pick}, ${answer?.kind}`, async ({ shop, gateway, payments }) => {
      gateway.nextRefund = answer === null ? null : named(answer);
      await shop.post(`/v2/payments/${payments[pick === 0 ? 1 : 0]}/refunds`, { amount });
    }),
  );

/** One of the staff asks for more than the limit, or for as much as is left of it. */
const asking = fc.tuple(fc.nat({ max: 1 }), fc.constantFrom(1, 4, 9)).map(([pick, amount]) =>
  step(`staff ask for ${amount} of ${pick}`, async ({ shop, payments, staff }) => {
    const body = { amount, above_limit: "ask" };
    const path = `/v2/payments/${payments[pick]}/refunds`;
    const answer = await shop.post(path, body, { key: staff });
    expect([201, 409]).toContain(answer.status);
  }),
);

/** Two owners decide at once: one of them decides, or both say the same. */
const deciding = fc
  .tuple(fc.constantFrom("approve", "decline"), fc.constantFrom("approve", "decline"))
  .map((decisions) =>
    step(decisions.join(" and "), async ({ shop, order }) => {
      const refunds = await refundsOf(shop, order);
      const asked = refunds.find((one) => one.at("/status") === "needs_approval");
      if (asked === undefined) return;
      const answers = await Promise.all(
        decisions.map((decision) => shop.post(`/v2/refunds/${asked.id}/${decision}`)),
      );
      const isOne = decisions[0] === decisions[1];
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(isOne ? 2 : 1);
    }),
  );

/** More money by hand, in whatever state the order is. */
const recording = fc.constantFrom(1, 7.5, 60).map((amount) =>
  step(`${amount} more by hand`, async ({ shop, order }) => {
    const body = { method: "cash", amount };
    const recorded = await shop.post(`/v2/orders/${order}/payments`, body);
    expect(recorded.status).toBe(201);
  }),
);

const cancelling = fc.constant(
  step("cancel a unit", async ({ shop, order }) => {
    const line = (await shop.get(`/v2/orders/${order}`)).at("/line_items/0/id");
    const body = { line_items: [{ line_item_id: line, quantity: 1 }] };
    await shop.put(`/v2/orders/${order}/cancel`, body, {
      headers: { "Idempotency-Key": crypto.randomUUID() },
    });
    await settle(shop);
  }),
);

/** What is answered with 200. Closing what is closed changes nothing, and is no conflict. */
const allowedFrom: Readonly<Record<string, readonly string[]>> = {
  retry: ["failed"],
  close: ["failed", "needs_attention", "closed"],
  cancel: ["failed", "needs_attention", "cancelled"],
};

/** One or two calls at once about one of the refunds. */
const acting = fc
  .tuple(fc.nat({ max: 2 }), fc.subarray(["retry", "close", "cancel", "retry"], { minLength: 1 }))
  .map(([pick, actions]) =>
    step(`${actions.join(" and ")} ${pick}`, async ({ shop, order }) => {
      const refunds = await refundsOf(shop, order);
      const refund = refunds[pick % Math.max(1, refunds.length)];
      if (refund === undefined) return;
      const from = refund.string("/status");
      const done = await Promise.all(
        actions.map((action) => shop.post(`/v2/refunds/${refund.id}/${action}`)),
      );
      const isAllowed = (action: string) => allowedFrom[action]?.includes(from) ?? false;
      for (const answer of done) expect([200, 409]).toContain(answer.status);
      const isAnyAllowed = actions.some(isAllowed);
      expect(done.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(
        isAnyAllowed ? actions.length : 0,
      );
    }),
  );

const waiting = fc
  .constantFrom(1, 3_600, 86_400)
  .map((seconds) => step(`wait ${seconds} s`, ({ shop }) => pass(shop, seconds)));

const steps = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: scripting },
    { weight: 4, arbitrary: refunding },
    { weight: 2, arbitrary: asking },
    { weight: 2, arbitrary: deciding },
    { weight: 1, arbitrary: cancelling },
    { weight: 1, arbitrary: recording },
    { weight: 4, arbitrary: acting },
    { weight: 2, arbitrary: waiting },
  ),
  { minLength: 4, maxLength: 14, size: "max" },
);

async function refundsOf(shop: TestShop, order: string): Promise<Answered[]> {
  const listed = await shop.get(`/v2/refunds?order_id=${order}`);
  return listed
    .list("/data")
    .map((row) => new Answered(listed.status, listed.headers, JSON.stringify(row)));
}

function sumOf(refunds: readonly Answered[]): number {
  return refunds.reduce((total, refund) => total + refund.number("/amount_minor"), 0);
}

async function openWorld(): Promise<World> {
  const { shop, gateway } = await openScriptedShop();
  const placed = await (await orderCounter(shop))({}, QUANTITY);
  const first = await initialize(shop, { order_id: placed.id, amount: BY_GATEWAY });
  gateway.pay(first.id);
  await pass(shop, 15);
  const terms = { order_id: placed.id, method: "bank_transfer" };
  const { id, body } = await initialize(shop, terms);
  const amount = Object(body)["amount"];
  await shop.post(`/v2/payments/${id}/confirm`, { amount, currency: "USD" });
  await shop.put("/v2/store", { refund_limit: "5.00" });
  const staff = await shop.createKey({ scopes: ["payments:write"] });
  return { shop, gateway, order: placed.id, payments: [first.id, id], staff };
}

/** The figures of the order are those of its refunds, and each refund was announced as its life says. */
async function expectSoundness({ shop, gateway, order }: World): Promise<void> {
  const refunds = await refundsOf(shop, order);
  const returned = refunds.filter((one) => ["succeeded", "closed"].includes(one.string("/status")));
  const after = await shop.get(`/v2/orders/${order}`);
  expect(after.at("/refunded_total_minor")).toBe(sumOf(returned));
  expect(sumOf(returned)).toBeLessThanOrEqual(after.number("/paid_total_minor"));
  const names = (await shop.events()).map(({ name }) => name);
  expect(names.filter((name) => name === "order.refunded")).toHaveLength(returned.length);
  for (const refund of refunds) {
    expect(refund.at("/status") === "needs_approval").toBe(refund.at("/approval") === "asked");
    const paid = [...gateway.refunds.keys()].filter((reference) => reference.startsWith(refund.id));
    const isPaidTwice = refund.at("/attention") === "paid_twice";
    const isByGateway = refund.at("/status") === "succeeded" && paid.length > 0;
    expect(paid.length).toBe(isByGateway || isPaidTwice ? 1 : 0);
  }
  expect(await auditsOf(shop)).toEqual([]);
}

/** The states of a refund, in the order of its events; `pending` before the first of them. */
async function expectLives({ shop }: World): Promise<void> {
  const lives = new Map<string, RefundStatus>();
  for (const { name, data } of await shop.events()) {
    if (name !== "order.refunded" && !name.startsWith("refund.")) continue;
    const { id, status } = Object(JSON.parse(data)).refund;
    const before = lives.get(id) ?? "pending";
    expect(canReach(before, { status, name })).toBe(true);
    lives.set(id, status);
  }
}

/** Whether the life table leads there, announcing this last and nothing on the way. */
function canReach(
  from: RefundStatus,
  to: { readonly status: RefundStatus; readonly name: string },
): boolean {
  const silent = new Set([from]);
  for (const state of silent) {
    for (const action of refundActions) {
      const found = arrow(refundLife, state, action);
      if (found === null) continue;
      if (found.event === to.name && found.next === to.status) return true;
      if (found.event === null) silent.add(found.next);
    }
  }
  return false;
}

test("no life of refunds gives money back twice or unannounced", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const world = await openWorld();
      await using _ = world.shop;
      for (const { take } of taken) {
        await take(world);
        await settle(world.shop);
        await expectSoundness(world);
      }
      await expectLives(world);
    }),
    { numRuns: RUNS, seed: seedOfRun() },
  );
}, 180_000);

test("every state of a refund but the ends leads to money that is back", () => {
  const isBack = (state: RefundStatus) => state === "succeeded" || state === "closed";

  for (const state of refundStates) {
    const reached = new Set<RefundStatus>([state]);
    for (const one of reached) {
      for (const action of refundActions) {
        const next = arrow(refundLife, one, action)?.next;
        if (next !== undefined) reached.add(next);
      }
    }
    expect([...reached].some(isBack)).toBe(true);
  }
});
