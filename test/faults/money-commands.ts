// Commands on the money of an order after it came: by hand, corrected, and refunds that fail, are retried or closed.

import { expect } from "bun:test";

import fc from "fast-check";

import { type Id, isId } from "#kernel/id.ts";
import { settleRefund } from "#payments/settling/settle-refund.ts";

import { settle } from "../payments/scripted-shop.ts";
import { pay } from "../sandbox/paying.ts";
import type { Answered } from "../support/shop.ts";
import { about, once, type World } from "./shop-command.ts";
import {
  dueOf,
  hasOpenUnits,
  isPayable,
  type ModelOrder,
  type ModelRefund,
  openUnitsOf,
  refundableOf,
} from "./shop-order.ts";

const payingFailing = about("pay with a card that fails refunds", async (order, model, world) => {
  const expected = isPayable(order) ? 201 : 409;
  const amountMinor = dueOf(order);

  const paid = await once(world, (headers) =>
    pay(world.shop, order.id, { card: "pm_test_refundFails", headers }),
  );

  expect(paid.status).toBe(expected);
  if (expected === 201) model.receive(order, { id: paid.id, amountMinor, by: "failing" });
});

/** A card of which a tenth is missing, rounded up, is in review until the merchant accepts what came. */
const accepting = fc.tuple(fc.boolean(), fc.boolean()).chain(([isRestWrittenOff, isUnwanted]) =>
  about(
    `accept ${isRestWrittenOff ? "for good " : ""}what came short for${isUnwanted ? ", and cancel" : ""}`,
    async (order, model, world) => {
      const expected = isPayable(order) ? 201 : 409;
      const cameMinor = dueOf(order) - Math.ceil(dueOf(order) / 10);
      if (expected === 201 && cameMinor === 0) return;

      const paid = await once(world, (headers) =>
        pay(world.shop, order.id, { card: "pm_test_amountShort", headers }),
      );

      expect(paid.status).toBe(expected);
      if (expected !== 201) return;
      const path = `/v2/payments/${paid.id}/accept`;
      const accepted = await once(world, (headers) =>
        world.shop.post(path, { write_off: isRestWrittenOff }, { headers }),
      );
      expect([paid.at("/status"), accepted.status]).toEqual(["review", 200]);
      model.accept(order, { id: paid.id, amountMinor: cameMinor }, isRestWrittenOff);
      if (!isUnwanted || order.status !== "open" || !hasOpenUnits(order)) return;
      await settle(world.shop);
      const cancelled = await once(world, (headers) =>
        world.shop.put(`/v2/orders/${order.id}/cancel`, undefined, { headers }),
      );
      expect(cancelled.status).toBe(200);
      model.cancel(order, openUnitsOf(order));
    },
  ),
);

/** Asks for a transfer of what is due. */
function askByHand(world: World, order: ModelOrder): Promise<Answered> {
  const body = { order_id: order.id, method: "bank_transfer" };
  return once(world, (headers) => world.shop.post("/v2/payments/initialize", body, { headers }));
}

function confirm(world: World, id: string, amountMinor: number): Promise<Answered> {
  const body = { amount: (amountMinor / 100).toFixed(2) };
  return once(world, (headers) => world.shop.post(`/v2/payments/${id}/confirm`, body, { headers }));
}

/** What really came is as much as was asked for, or less, or more. */
const payingByHand = fc.constantFrom(0, -200, 300).chain((moreMinor) =>
  about(`hand over ${moreMinor} more for`, async (order, model, world) => {
    const amountMinor = Math.max(1, dueOf(order) + moreMinor);
    const expected = isPayable(order) ? 201 : 409;

    const asked = await askByHand(world, order);

    expect([asked.status, asked.text]).toEqual([expected, asked.text]);
    if (expected !== 201) return;
    expect((await confirm(world, asked.id, amountMinor)).status).toBe(200);
    model.receive(order, { id: asked.id, amountMinor, by: "hand" });
  }),
);

/** A transfer that was asked for arrives after the order was cancelled. */
const payingLate = about("cancel and then hand over for", async (order, model, world) => {
  if (!isPayable(order) || order.status !== "open" || !hasOpenUnits(order)) return;
  const amountMinor = dueOf(order);
  const asked = await askByHand(world, order);
  expect(asked.status).toBe(201);

  const cancelled = await once(world, (headers) =>
    world.shop.put(`/v2/orders/${order.id}/cancel`, undefined, { headers }),
  );
  model.cancel(order, openUnitsOf(order));
  // The timer of the cancellation refunds all that is overpaid when it fires: it fires before more arrives.
  await settle(world.shop);
  const confirmed = await confirm(world, asked.id, amountMinor);

  expect([cancelled.status, confirmed.status]).toEqual([200, 200]);
  model.receive(order, { id: asked.id, amountMinor, by: "hand" });
});

const correcting = fc.constantFrom(300, 1_250, 5_000).chain((amountMinor) =>
  about(`correct to ${amountMinor} the payment of`, async (order, model, world) => {
    const payment = order.payments.at(-1);
    if (payment === undefined) return;
    const isBelow = amountMinor < payment.refundingMinor;
    const expected = payment.by !== "hand" ? 409 : isBelow ? 422 : 200;
    const body = { amount: (amountMinor / 100).toFixed(2) };

    const corrected = await once(world, (headers) =>
      world.shop.post(`/v2/payments/${payment.id}/correct`, body, { headers }),
    );

    expect([corrected.status, corrected.text]).toEqual([expected, corrected.text]);
    if (expected === 200) model.correct(order, payment, amountMinor);
  }),
);

/** One of the refunds of the order in the shop, and the same in the model: equal ones are interchangeable. */
async function pickRefund(
  { shop }: World,
  order: ModelOrder,
  at: number,
): Promise<{ readonly id: string; readonly refund: ModelRefund } | undefined> {
  const answer = await shop.get(`/v2/refunds?order_id=${order.id}&limit=100`);
  const rows = answer.list("/data").map(Object);
  const row = rows[at % Math.max(1, rows.length)];
  const refund = order.refunds.find(
    ({ payment, amountMinor, status }) =>
      payment.id === row?.payment_id && amountMinor === row.amount_minor && status === row.status,
  );
  return refund === undefined ? undefined : { id: row.id, refund };
}

/** A refund sets its amount aside anew, so that much must be left of its payment. */
function isLeft({ payment, amountMinor }: ModelRefund): boolean {
  return amountMinor <= refundableOf(payment);
}

const retrying = fc.nat(5).chain((at) =>
  about(`retry refund ${at} of`, async (order, model, world) => {
    const picked = await pickRefund(world, order, at);
    if (picked === undefined) return;
    const { id, refund } = picked;
    const isAllowed = refund.status === "failed" && isLeft(refund);

    const retried = await once(world, (headers) =>
      world.shop.post(`/v2/refunds/${id}/retry`, {}, { headers }),
    );

    expect([retried.status, retried.text]).toEqual([isAllowed ? 200 : 409, retried.text]);
    if (isAllowed) model.retry(order, refund);
  }),
);

const closing = fc.nat(5).chain((at) =>
  about(`close refund ${at} of`, async (order, model, world) => {
    const picked = await pickRefund(world, order, at);
    if (picked === undefined) return;
    const { id, refund } = picked;
    const isFailed = refund.status === "failed" && isLeft(refund);
    const isAllowed = isFailed || refund.status === "needs_attention";
    const isRepeated = refund.status === "closed";

    const closed = await once(world, (headers) =>
      world.shop.post(`/v2/refunds/${id}/close`, {}, { headers }),
    );

    expect([closed.status, closed.text]).toEqual([
      isAllowed || isRepeated ? 200 : 409,
      closed.text,
    ]);
    if (isAllowed) model.close(order, refund);
  }),
);

/** The bank sends back what a gateway refunded, after it said that it had. */
const failingLate = fc.nat(5).chain((at) =>
  about(`refund ${at} fails late of`, async (order, model, world) => {
    const picked = await pickRefund(world, order, at);
    if (picked?.refund.status !== "succeeded" || picked.refund.payment.by === "hand") return;
    const { id, refund } = picked;

    const outcome = { kind: "failed", gatewayCode: "returned", gatewayRefundId: id } as const;
    await world.shop.test.database.write((tx) => settleRefund(tx, mustBeId(id), outcome));

    model.failLate(order, refund);
  }),
);

function mustBeId(id: string): Id<"refund"> {
  if (!isId("refund", id)) throw new Error(`${id} is no id of a refund.`);
  return id;
}

/** Money by hand, corrections, refunds that fail, and money that came short. */
export const moneyCommands = [
  payingFailing,
  payingByHand,
  payingLate,
  correcting,
  failingLate,
  retrying,
  closing,
  accepting,
];
