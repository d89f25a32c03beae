// Attempts that failed are summed, so that strangers cannot fill the audit log.

import { expect, test } from "bun:test";

import { recordFailure } from "#shop/audit/record-act.ts";
import { listEntries } from "#shop/entries/list-entries.ts";

import { openTestShop, TestClock } from "../../support/shop.ts";

const failure = { actorName: null, action: "failSignIn", subject: null };
const QUARTER_MS = 900_000;

test("failures are counted by the entry of their quarter of an hour", async () => {
  await using shop = await openTestShop();
  const clock = new TestClock();
  const { database } = shop.live;
  const fail = () =>
    database.write((tx) => recordFailure(tx, { ...failure, clientNetwork: "192.0.2.0/24" }, clock));

  await fail();
  clock.advance(QUARTER_MS - 1);
  await fail();
  clock.advance(2);
  await fail();

  const { rows } = await listEntries(database.read, {}, { limit: 100, after: null });
  const counts = rows.filter(({ action }) => action === "failSignIn").map(({ after }) => after);
  expect(counts).toEqual(['{"failures":1}', '{"failures":2}']);
});

test("failures from more than a hundred networks at a time are one entry", async () => {
  await using shop = await openTestShop();
  const clock = new TestClock();
  const { database } = shop.live;

  await database.write(async (tx) => {
    for (let at = 0; at < 110; at += 1) {
      await recordFailure(tx, { ...failure, clientNetwork: `198.51.${at}.0/24` }, clock);
    }
  });

  const filters = { action: "failSignIn" };
  const { rows } = await listEntries(database.read, filters, { limit: 200, after: null });
  const ofAll = rows.filter(({ clientNetwork }) => clientNetwork === null);
  expect([rows.length, ofAll.map(({ after }) => after)]).toEqual([101, ['{"failures":10}']]);
});
