// The program with a secret of Stripe's: what `duka gateways check` says, and a sale, with the settings alone.

import { expect, test } from "bun:test";

import { openStripeFace, type StripeFace } from "#mocks/stripe/stripe-face.ts";
import { vendors } from "#payments/gateways/vendor-table.ts";

import { initialize, orderCounter, settle } from "../../payments/scripted-shop.ts";
import { runDuka } from "../../support/running-duka.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { openTestShop } from "../../support/shop.ts";
import { WEBHOOK_SECRET } from "./adapter.ts";

const settingsOf = ({ secret, server }: StripeFace) => ({
  DUKA_STRIPE_TEST_SECRET: secret,
  DUKA_STRIPE_TEST_WEBHOOK_SECRET: WEBHOOK_SECRET,
  DUKA_STRIPE_URL: server.url,
  DUKA_TEST_GATEWAYS: "stripe,simulated",
});

test("an order is paid through the gateway that the settings open, and its notice is taken", async () => {
  await using face = await openStripeFace();
  await using shop = await openTestShop({ vendors, settings: settingsOf(face) });
  face.addEndpoint(`${shop.url}/hooks/test/stripe`, WEBHOOK_SECRET);
  const { id } = await (await orderCounter(shop))();

  const payment = await initialize(shop, { order_id: id });
  const back = await face.payOnPage(face.account.sessions.all()[0]?.id ?? "", "pm_card_visa");
  const statuses = await face.notices.send();
  shop.clock.advance(11_000);
  await settle(shop);

  expect(payment.at("/gateway")).toBe("stripe");
  expect(back).toStartWith(`${shop.url}/pay/return/`);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await shop.get(`/v2/orders/${id}`)).at("/payment_status")).toBe("paid");
});

test("`duka gateways check` tells what the account may, and fails where the secret is refused", async () => {
  await using face = await openStripeFace();
  using folder = openScratchFolder();
  const check = (settings: Record<string, string>) =>
    runDuka(["gateways", "check", "stripe", "--mode", "test"], { folder: folder.path, settings });
  const settings = { ...settingsOf(face), DUKA_DATA_DIR: folder.path };
  await (await openTestShop({ folder })).duka.stop();

  const sound = await check(settings);
  const refused = await check({ ...settings, DUKA_STRIPE_TEST_SECRET: "sk_test_0therSecret0ther" });

  expect(sound.code).toBe(0);
  expect(sound.stdout).toContain("ok  The secret is of test mode. Money is paid out in EUR.");
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain("FAULT  Stripe does not know the secret,");
  expect(refused.stdout + refused.stderr).not.toContain("0therSecret0ther");
});
