// A program that is killed (SIGKILL) after Paystack has charged a phone, opened a page or made a refund, and before the
// answer is written down. After the next start nothing is asked for twice: Paystack has no key that would stop it.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { openPaystackFace, type PaystackFace } from "#mocks/paystack/paystack-face.ts";

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

setDefaultTimeout(60_000);

let script: Bundle;

beforeAll(async () => {
  script = await bundleMortalShop();
});

afterAll(() => script[Symbol.dispose]());

const phone = { method: "mobile_money", provider: "mtn", phone: "+233551234980" };

const payByPhone = (ask: Client, order_id: string) =>
  ask("POST", "/v2/payments/initialize", { order_id, ...phone });

const payOnPage = (ask: Client, order_id: string) =>
  ask("POST", "/v2/payments/initialize", { order_id, method: "gateway" });

const placeOf = (scratch: ScratchFolder, face: PaystackFace): Place => ({
  scratch,
  face,
  vendor: "paystack",
  currency: "GHS",
  pay: payByPhone,
});

test("killed after the answer, a phone that was charged has paid the order, once", async () => {
  using scratch = openScratchFolder();
  await using face = await openPaystackFace();
  const place = placeOf(scratch, face);
  const { key, order } = await runUntilKilled(script, place, "after the answer");

  const duka = await startAgain(place);
  const ask = clientOf(duka, key);
  await payByPhone(ask, order);
  await advance(ask, 1200);
  const ended = await standing(ask, order);
  await duka.stop();

  expect(ended).toEqual(["paid", 12.5, 0]);
  expect(face.account.transactions.size).toBe(1);
  expect(face.account.books.faults()).toEqual([]);
});

test("killed after the answer, a page that no one has seen takes no money, and another one pays the order", async () => {
  using scratch = openScratchFolder();
  await using face = await openPaystackFace();
  const place = { ...placeOf(scratch, face), pay: payOnPage };
  const { key, order } = await runUntilKilled(script, place, "after the answer");

  const duka = await startAgain(place);
  const ask = clientOf(duka, key);
  const { authorization_url } = await payOnPage(ask, order);
  face.payOnPage([...face.account.transactions.keys()].at(-1) ?? "", "pm_card_visa");
  await advance(ask, 1200);
  const ended = await standing(ask, order);
  await duka.stop();

  expect(String(authorization_url)).toStartWith(face.server.url);
  expect(ended).toEqual(["paid", 12.5, 0]);
  expect(face.account.books.faults()).toEqual([]);
});

test("killed after a refund, it is found by its note and not paid twice", async () => {
  using scratch = openScratchFolder();
  await using face = await openPaystackFace();
  const place = placeOf(scratch, face);
  const { key, order } = await runUntilKilled(script, place, "after the refund");

  const duka = await startAgain(place);
  const ask = clientOf(duka, key);
  await advance(ask, 3 * 3600);
  const ended = await standing(ask, order);
  await duka.stop();

  expect(ended).toEqual(["refunded", 12.5, 12.5]);
  expect(face.account.refunds).toHaveLength(1);
  expect(face.account.books.faults()).toEqual([]);
});
