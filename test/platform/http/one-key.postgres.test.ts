// Two different requests under one idempotency key, at two programs at the same moment: one of them has an effect.

import { expect, setDefaultTimeout, test } from "bun:test";

import { mug } from "../../support/cast.ts";
import { openPrograms } from "../../support/programs.ts";
import type { Answered } from "../../support/shop.ts";

setDefaultTimeout(60_000);

const REUSED = "422 idempotency_key_reused";
const outcomeOf = (answer: Answered) =>
  answer.status < 400 ? String(answer.status) : `${answer.status} ${answer.code}`;

test("of two orders under one key at two programs one is placed, and the other is refused", async () => {
  await using programs = await openPrograms(2);
  const cup = await mug(programs.of(0), { stock: 1_000 });
  const place = (program: number, round: number) =>
    programs
      .of(program)
      .post(
        "/v2/orders",
        { line_items: [{ variant_id: cup.variantId, quantity: program + 1 }] },
        { key: programs.of(0).key, headers: { "Idempotency-Key": `basket-${round}` } },
      );

  const rounds = [];
  for (let round = 0; round < 20; round += 1) {
    const answers = await Promise.all([place(round % 2, round), place((round + 1) % 2, round)]);
    rounds.push(answers.map(outcomeOf).toSorted());
  }

  expect(rounds.filter(([one, other]) => one !== "201" || other !== REUSED)).toEqual([]);
});

test("of an order and a payment under one key at two programs one is made, and the other is refused", async () => {
  await using programs = await openPrograms(2);
  const cup = await mug(programs.of(0), { stock: 1_000 });
  const ask = (round: number) => {
    const options = { key: programs.of(0).key, headers: { "Idempotency-Key": `basket-${round}` } };
    const line_items = [{ variant_id: cup.variantId, quantity: 1 }];
    return Promise.all([
      programs.of(round).post("/v2/orders", { line_items }, options),
      programs
        .of(round + 1)
        .post("/v2/payments/initialize", { amount: 5, currency: "USD", method: "card" }, options),
    ]);
  };

  const rounds = [];
  for (let round = 0; round < 20; round += 1) {
    const answers = await ask(round);
    rounds.push(answers.map(outcomeOf).toSorted());
  }

  expect(rounds.filter(([one, other]) => one !== "201" || other !== REUSED)).toEqual([]);
});
