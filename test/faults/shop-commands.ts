// Actions of customers, merchants and time, as commands that fast-check puts into any order. Each checks the
// answer against the model, and updates the model.

import { expect } from "bun:test";

import fc from "fast-check";

import { pass, settle } from "../payments/scripted-shop.ts";
import { pay } from "../sandbox/paying.ts";
import { type Answered, openTestShop } from "../support/shop.ts";
import { moneyCommands } from "./money-commands.ts";
import { completing, placing, priceCommands } from "./price-commands.ts";
import {
  type About,
  about,
  Command,
  type Hold,
  type Named,
  once,
  type World,
} from "./shop-command.ts";
import {
  type Attempt,
  depositDueOf,
  dueOf,
  hasOpenUnits,
  isGivenBack,
  isOpen,
  isPayable,
  leftOf,
  type ModelOrder,
  openOf,
  openUnitsOf,
  shareOf,
  type Units,
  type Which,
} from "./shop-order.ts";

const payAll: About = async (order, model, world) => {
  const expected = isPayable(order) ? [201, "succeeded"] : [409, undefined];
  const amountMinor = dueOf(order);

  const paid = await once(world, (headers) =>
    pay(world.shop, order.id, { card: "pm_card_visa", headers }),
  );

  expect([paid.status, paid.status === 201 ? paid.at("/status") : undefined]).toEqual(expected);
  if (paid.status === 201) model.receive(order, { id: paid.id, amountMinor });
};

const PART_MINOR = 500;

const payingPart = about("pay 5.00 of", async (order, model, world) => {
  const expected = !isPayable(order) ? 409 : dueOf(order) < PART_MINOR ? 422 : 201;

  const paid = await once(world, (headers) =>
    world.shop.post(
      "/v2/payments/initialize",
      { order_id: order.id, method: "card", card_token: "tok_visa", amount: "5.00" },
      { headers },
    ),
  );

  expect(paid.status).toBe(expected);
  if (expected === 201) model.receive(order, { id: paid.id, amountMinor: PART_MINOR });
});

const failing = about("fail to pay", async (order, _, world) => {
  const failed = await once(world, (headers) =>
    pay(world.shop, order.id, { card: "pm_card_visa_chargeDeclined", headers }),
  );

  expect(failed.status).toBe(isPayable(order) ? 201 : 409);
  if (failed.status === 201) expect(failed.at("/status")).toBe("failed");
});

/** A page that is open for the same amount is found; one for another amount refuses a second page. */
function statusOfAsking(order: ModelOrder, amountMinor: number): number {
  if (!isPayable(order)) return 409;
  if (amountMinor === 0) return 422;
  const page = order.attempts.find(isOpen);
  if (page === undefined) return 201;
  return page.amountMinor === amountMinor ? 200 : 409;
}

const ask: About = async (order, model, world) => {
  const amountMinor = dueOf(order);
  const expected = statusOfAsking(order, amountMinor);

  const opened = await once(world, (headers) => pay(world.shop, order.id, { headers }));

  expect(opened.status).toBe(expected);
  if (expected === 201) model.ask(order, { id: opened.id, amountMinor });
};

/** Asks for the deposit by a method. */
function payDeposit(world: World, order: ModelOrder, by: object): Promise<Answered> {
  const body = { order_id: order.id, deposit: true, ...by };
  return once(world, (headers) => world.shop.post("/v2/payments/initialize", body, { headers }));
}

const askingDeposit = about("ask on a page for the deposit of", async (order, model, world) => {
  const amountMinor = depositDueOf(order);
  const expected = statusOfAsking(order, amountMinor);

  const opened = await payDeposit(world, order, { method: "gateway" });

  expect([opened.status, opened.text]).toEqual([expected, opened.text]);
  if (expected === 201) model.ask(order, { id: opened.id, amountMinor });
});

const payingDeposit = about("pay the deposit of", async (order, model, world) => {
  const amountMinor = depositDueOf(order);
  const expected = !isPayable(order) ? 409 : amountMinor === 0 ? 422 : 201;

  const paid = await payDeposit(world, order, { method: "card", card_token: "pm_card_visa" });

  expect([paid.status, paid.text]).toEqual([expected, paid.text]);
  if (expected === 201) model.receive(order, { id: paid.id, amountMinor });
});

const changingDeposit = fc.constantFrom(1, 33, 50, 100).map((percent): Named => [
  `take a deposit of ${percent} percent`,
  async (model, world) => {
    const changed = await once(world, (headers) =>
      world.shop.put("/v2/store", { deposit_percent: percent }, { headers }),
    );

    expect(changed.status).toBe(200);
    model.depositPercent = percent;
  },
]);

/** The payer decides on the newest payment page of an order. */
function decide(decision: "approve" | "decline"): About {
  const [aim, same] =
    decision === "approve" ? ["paid" as const, "paid"] : ["declined" as const, "declined"];
  return async (order, model, world) => {
    const attempt = order.attempts.at(-1);
    if (attempt === undefined) return;
    const { state } = attempt;

    const played = await once(world, (headers) =>
      world.shop.post(`/v2/test/payments/${attempt.id}/${decision}`, undefined, { headers }),
    );

    expect([played.status, state]).toEqual([state === "open" || state === same ? 200 : 409, state]);
    if (state !== "open") return;
    attempt.state = aim;
    if (aim === "paid") model.receive(order, attempt);
  };
}

/** Pays on a page and by card at once: the second gets back what is not due, or comes too late. */
const payingTwice = about("pay twice", async (order, model, world) => {
  await ask(order, model, world);
  const page = order.attempts.find(isOpen);
  if (page === undefined) return payAll(order, model, world);

  const [byCard, onPage] = await Promise.all([
    once(world, (headers) => pay(world.shop, order.id, { card: "pm_card_visa", headers })),
    world.shop.post(`/v2/test/payments/${page.id}/approve`),
  ]);

  const taken = [byCard.status === 201, onPage.status === 200];
  expect([201, 409]).toContain(byCard.status);
  expect([200, 409]).toContain(onPage.status);
  expect(taken).toContain(true);
  if (onPage.status === 200) page.state = "paid";
  const card =
    byCard.status === 201 ? [{ id: byCard.id, amountMinor: byCard.number("/amount_minor") }] : [];
  const received = [...card, ...(onPage.status === 200 ? [page] : [])];
  const inOrder = (await isPaidBack(world, page)) ? received : received.toReversed();
  for (const money of inOrder) model.receive(order, money);
});

/** The second payment is refunded, in whole or in part: only the shop knows which one that was. */
async function isPaidBack({ shop }: World, { id }: Attempt): Promise<boolean> {
  await settle(shop);
  return (await shop.get(`/v2/payments/${id}`)).number("/refunded_total_minor") > 0;
}

const refunding = fc.constantFrom(100, 1250, null).chain((amountMinor) =>
  about(`refund ${amountMinor ?? "all"} of`, async (order, model, world) => {
    const leftMinor = leftOf(order);
    const wantedMinor = amountMinor ?? leftMinor;
    const isThere = wantedMinor > 0 && wantedMinor <= leftMinor;
    const body = amountMinor === null ? {} : { amount: (amountMinor / 100).toFixed(2) };

    const refunded = await once(world, (headers) =>
      world.shop.post(`/v2/orders/${order.id}/refunds`, body, { headers }),
    );

    expect([refunded.status === 201, refunded.status < 500]).toEqual([isThere, true]);
    if (!isThere) return;
    const isWhole = amountMinor === null && order.status === "open" && hasOpenUnits(order);
    model.refund(order, wantedMinor, isWhole ? { cancelled: openUnitsOf(order) } : {});
  }),
);

const anyGoods = fc.constantFrom<Which>(0, 1);
const some1to3 = fc.integer({ min: 1, max: 3 });
const unitsOf = (index: Which, quantity: number): Units =>
  index === 0 ? [quantity, 0] : [0, quantity];

/** Refunds units by their price: open ones are cancelled, shipped ones come back. */
const refundingUnits = fc
  .tuple(anyGoods, some1to3, fc.constantFrom("open", "shipped" as const), fc.boolean())
  .chain(([index, quantity, from, isRestocked]) =>
    about(`refund ${quantity} ${from} of ${index} of`, async (order, model, world) => {
      const line = order.lines[index];
      if (line === null) return;
      const there =
        from === "open" ? openOf(order, index) : order.shipped[index] - order.returned[index];
      const amountMinor = shareOf(order, index, Math.min(quantity, there));
      const isThere = amountMinor > 0 && amountMinor <= leftOf(order);
      const expected = quantity > there ? 422 : isThere ? 201 : 409;
      const row = { line_item_id: line, quantity, from, restock: isRestocked };

      const refunded = await once(world, (headers) =>
        world.shop.post(`/v2/orders/${order.id}/refunds`, { line_items: [row] }, { headers }),
      );

      expect([refunded.status, refunded.text]).toEqual([expected, refunded.text]);
      if (expected !== 201) return;
      const units = unitsOf(index, quantity);
      const moved = from === "open" ? { cancelled: units } : { returned: units, isRestocked };
      model.refund(order, amountMinor, { ...moved, namedMinor: amountMinor });
    }),
  );

const returning = fc
  .tuple(anyGoods, some1to3, fc.boolean(), fc.boolean())
  .chain(([index, quantity, isRestocked, isRefunded]) =>
    about(`return ${quantity} of ${index} of`, async (order, model, world) => {
      const line = order.lines[index];
      if (line === null) return;
      const isThere = quantity <= order.shipped[index] - order.returned[index];
      const body = {
        line_items: [{ line_item_id: line, quantity }],
        restock: isRestocked,
        refund: isRefunded,
      };

      const returned = await once(world, (headers) =>
        world.shop.post(`/v2/orders/${order.id}/returns`, body, { headers }),
      );

      expect([returned.status, returned.text]).toEqual([isThere ? 201 : 422, returned.text]);
      if (isThere) model.takeBack(order, unitsOf(index, quantity), { isRestocked, isRefunded });
    }),
  );

const cancellingPart = fc
  .tuple(anyGoods, some1to3, fc.boolean())
  .chain(([index, quantity, isRefunded]) =>
    about(`cancel ${quantity} of ${index} of`, async (order, model, world) => {
      const line = order.lines[index];
      if (line === null || order.status === "cancelled") return;
      const isThere = quantity <= openOf(order, index);
      const body = { line_items: [{ line_item_id: line, quantity }], refund: isRefunded };

      const cancelled = await once(world, (headers) =>
        world.shop.put(`/v2/orders/${order.id}/cancel`, body, { headers }),
      );

      expect([cancelled.status === 200, cancelled.text]).toEqual([isThere, cancelled.text]);
      if (isThere) model.cancel(order, unitsOf(index, quantity), isRefunded);
    }),
  );

const writingOff = about("write 5.00 off", async (order, model, world) => {
  const dueMinor = dueOf(order);
  const expected = dueMinor === 0 ? 409 : dueMinor < PART_MINOR ? 422 : 200;

  const done = await once(world, (headers) =>
    world.shop.post(`/v2/orders/${order.id}/write-off`, { amount: "5.00" }, { headers }),
  );

  expect([done.status, done.text]).toEqual([expected, done.text]);
  if (expected === 200) model.writeOff(order, PART_MINOR);
});

const shipping = fc.tuple(anyGoods, some1to3).chain(([index, quantity]) =>
  about(`ship ${quantity} of ${index} of`, async (order, model, world) => {
    const line = order.lines[index];
    if (line === null) return;
    const isAllowed = order.status === "open" && !isGivenBack(order);
    const isMoved =
      isAllowed && quantity <= openOf(order, index) && quantity <= model.onHand[index];

    const shipped = await once(world, (headers) =>
      world.shop.put(
        `/v2/orders/${order.id}/fulfill`,
        { line_items: [{ line_item_id: line, quantity }] },
        { headers },
      ),
    );

    expect([shipped.status === 200, shipped.text]).toEqual([isMoved, shipped.text]);
    if (isMoved) model.ship(order, index, quantity);
  }),
);

const cancelling = fc.boolean().chain((isRefunded) =>
  about(`cancel${isRefunded ? "" : " and keep the money of"}`, async (order, model, world) => {
    const isOpenSoFar = order.status === "open" && hasOpenUnits(order);
    const isAllowed = order.status === "cancelled" || isOpenSoFar;
    const body = isRefunded ? undefined : { refund: false };

    const cancelled = await once(world, (headers) =>
      world.shop.put(`/v2/orders/${order.id}/cancel`, body, { headers }),
    );

    expect(cancelled.status).toBe(isAllowed ? 200 : 409);
    if (isOpenSoFar) model.cancel(order, openUnitsOf(order), isRefunded);
  }),
);

const waiting = fc.constantFrom(60, 3_700, 90_000).map((seconds): Named => [
  `wait ${seconds} s`,
  async (model, { shop }) => {
    await pass(shop, seconds);
    model.pass(seconds);
  },
]);

const adjusting = fc
  .tuple(fc.constantFrom<Which>(0, 1), fc.integer({ min: -4, max: 4 }))
  .map(([which, adjust]): Named => [
    `adjust ${which} by ${adjust}`,
    async (model, world) => {
      const isAllowed = model.onHand[which] + adjust >= 0;
      const path = `/v2/inventory/${model.goods[which].variantId}`;

      const adjusted = await once(world, (headers) =>
        world.shop.put(path, { adjust }, { headers }),
      );

      expect(adjusted.status).toBe(isAllowed ? 200 : 409);
      if (isAllowed) model.onHand[which] += adjust;
    },
  ]);

const retrying = fc.nat({ max: 40 }).map((back): Named => [
  `retry the request ${back} before`,
  async (_, { sent }) => {
    const one = sent.at(-1 - (back % Math.max(1, sent.length)));
    if (one === undefined) return;
    const again = await one.ask();
    expect([again.status, again.text]).toEqual([one.answer.status, one.answer.text]);
  },
]);

const restarting = fc.constant<Named>([
  "restart",
  async (_, world) => {
    const { key } = world.shop;
    await world.shop[Symbol.asyncDispose]();
    // Idempotency keys belong to the lineage of the API key, so that a retry has the same one.
    world.shop = await openTestShop({ folder: world.folder, key });
    expect((await world.shop.get("/v2/store")).status).toBe(200);
  },
]);

/** Every command, weighted as in a real shop. */
export function commands(hold: Hold, most: number) {
  const paying = [about("pay all of", payAll), about("ask on a page for", ask)];
  const deposits = [payingDeposit, askingDeposit, changingDeposit];
  const often = [placing, ...paying, about("approve", decide("approve")), shipping];
  const after = [
    ...deposits,
    refundingUnits,
    returning,
    cancellingPart,
    writingOff,
    ...moneyCommands,
    completing,
    ...priceCommands,
  ];
  const seldom = [payingTwice, payingPart, refunding, cancelling, waiting, retrying, ...after];
  const rare = [failing, about("decline", decide("decline")), adjusting, restarting];
  return fc.commands(
    [...often, ...often, ...often, ...seldom, ...seldom, ...rare].map((one) =>
      one.map(([name, take]) => new Command(name, take, hold)),
    ),
    { maxCommands: most, size: "max" },
  );
}
