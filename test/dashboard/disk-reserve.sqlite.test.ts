// Reading pages goes on where the last room of the disk is for live orders.

import { expect, test } from "bun:test";

import { sessions } from "#shop/people/sessions/tables.ts";

import { rowsOf } from "../support/tables.ts";
import { openDashboard } from "./dashboard-shop.ts";

const GIB = 1_073_741_824;

test("a page is read without a write where the disk has no room but for live orders", async () => {
  await using dashboard = await openDashboard({ readDisk: () => ({ free: 0, total: GIB }) });
  const { owner, shop } = dashboard;
  const seen = async () =>
    (await rowsOf(shop.live.database.read, sessions)).map((row) => row.seenAt);
  const before = await seen();
  shop.clock.advance(120_000);

  const page = await owner.get("/dashboard");

  expect(page.status).toBe(200);
  expect(await seen()).toEqual(before);
});
