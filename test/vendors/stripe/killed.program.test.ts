// A program that is killed (SIGKILL) at each step of charging a card and of refunding it at Stripe. After the next
// start the order ends as the vendor's books say, and there is one charge and one refund at most.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { openStripeFace, type StripeFace } from "#mocks/stripe/stripe-face.ts";

import type { Bundle } from "../../support/bundled.ts";
import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";
import {
  advance,
  bundleMortalShop,
  type Client,
  clientOf,
  type Place,
  runUntilKilled,
  standing,
  startAgain,
} from "../killed-program.ts";
import type { KillPoint } from "../mortal-shop.ts";

setDefaultTimeout(60_000);

let script: Bundle;

beforeAll(async () => {
  script = await bundleMortalShop();
});

afterAll(() => script[Symbol.dispose]());

const payByCard = (ask: Client, order_id: string) =>
  ask("POST", "/v2/payments/initialize", { order_id, method: "card", card_token: "pm_card_visa" });

const placeOf = (scratch: ScratchFolder, face: StripeFace): Place => ({
  scratch,
  face,
  vendor: "stripe",
  currency: "USD",
  pay: payByCard,
});

test.each<KillPoint>(["before the name", "after the name"])(
  "killed %s was written down, a card was not charged, and the order can be paid again",
  async (point) => {
    using scratch = openScratchFolder();
    await using face = await openStripeFace();
    const place = placeOf(scratch, face);
    const { key, order } = await runUntilKilled(script, place, point);
    const charged = face.account.charges.all().length;

    const duka = await startAgain(place);
    const ask = clientOf(duka, key);
    await advance(ask, 1200);
    const first = await standing(ask, order);
    await payByCard(ask, order);
    const second = await standing(ask, order);
    await duka.stop();

    expect(charged).toBe(0);
    expect([first, second]).toEqual([
      ["unpaid", 0, 0],
      ["paid", 12.5, 0],
    ]);
    expect(face.account.charges.all()).toHaveLength(1);
  },
);

test("killed after the answer, a card that was charged has paid the order, once", async () => {
  using scratch = openScratchFolder();
  await using face = await openStripeFace();
  const place = placeOf(scratch, face);
  const { key, order } = await runUntilKilled(script, place, "after the answer");

  const duka = await startAgain(place);
  const ask = clientOf(duka, key);
  await payByCard(ask, order);
  await advance(ask, 1200);
  const ended = await standing(ask, order);
  await duka.stop();

  expect(ended).toEqual(["paid", 12.5, 0]);
  expect(face.account.charges.all()).toHaveLength(1);
});

test("killed after a refund, it is found under its name and not paid twice", async () => {
  using scratch = openScratchFolder();
  await using face = await openStripeFace();
  const place = placeOf(scratch, face);
  const { key, order } = await runUntilKilled(script, place, "after the refund");

  const duka = await startAgain(place);
  const ask = clientOf(duka, key);
  await advance(ask, 3 * 3600);
  const ended = await standing(ask, order);
  await duka.stop();

  expect(ended).toEqual(["refunded", 12.5, 12.5]);
  expect(face.account.refunds.all()).toHaveLength(1);
  expect(face.account.books.faults()).toEqual([]);
});
