// A call to a gateway whose lease could not be released, because nothing can be written while the disk is full.

import { expect, test } from "bun:test";

import { tamper } from "../support/behind-the-shop.ts";
import { initialize, openScriptedShop, orderCounter, pass } from "./scripted-shop.ts";

test("a refund whose outcome found the disk full is settled once there is space", async () => {
  const { shop: scripted, gateway } = await openScriptedShop();
  await using shop = scripted;
  const placed = await (await orderCounter(shop))();
  const payment = await initialize(shop, { order_id: placed.id });
  gateway.pay(payment.id);
  await pass(shop, 15);
  const pay = gateway.refund.bind(gateway);
  gateway.refund = async (refund) => {
    await tamper(
      shop.folder.path,
      "CREATE TRIGGER full BEFORE DELETE ON leases BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    return pay(refund);
  };
  const refused = await shop.post(`/v2/payments/${payment.id}/refunds`, {});
  await tamper(shop.folder.path, "DROP TRIGGER full");
  await shop.post("/v2/customers", { email: "efua@example.com" });

  await pass(shop, 300);

  const refunds = await shop.get(`/v2/refunds?order_id=${placed.id}`);
  expect([refused.status, refunds.at("/data/0/status")]).toEqual([500, "succeeded"]);
});
