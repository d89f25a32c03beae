// Refunds that a person makes in Paystack's dashboard, in the ways in which they are easily lost or made twice.

import { expect, test } from "bun:test";

import {
  faultsOf,
  ofOrder,
  openPaystackShop,
  payByPhone,
  type PaystackShop,
} from "./paystack-shop.ts";

async function openPaid() {
  const opened = await openPaystackShop();
  const { id } = await opened.order({}, 2);
  const { id: payment } = await payByPhone(opened, id, "80");
  await opened.told();
  return { ...opened, id, payment };
}

/** What the vendor calls the newest transaction. */
const referenceIn = ({ face }: PaystackShop) => [...face.account.transactions.keys()].at(-1) ?? "";

test("a part that went back is the order's, though its transaction still reads success", async () => {
  await using opened = await openPaid();
  opened.face.account.tellsParts = false;
  opened.face.refundInDashboard(referenceIn(opened), 700);

  await opened.told();
  await opened.pass(60);

  expect(await ofOrder(opened, opened.id)).toEqual(["partially_refunded", 25, 7]);
  expect(await faultsOf(opened)).toEqual([]);
});
