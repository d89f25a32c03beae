// What `checkStripe` tells an operator of the account at the vendor.

import { expect, test } from "bun:test";

import { checkStripe } from "#payments/gateways/stripe/account.ts";

import { openStripeGateway, termsOf } from "./adapter.ts";

const ok = (text: string) => ({ ok: true, text });

test("an account that may be used says where it is, its currencies, and what the secret may read", async () => {
  await using rig = await openStripeGateway();

  const lines = await checkStripe(termsOf(rig.face));

  expect(lines).toEqual([
    ok("Account acct_3Fa03Fa03Fa03Fa0 in DE, currency EUR, can take money."),
    ok("The secret is of test mode. Money is paid out in EUR."),
    ok("The secret may read Checkout Sessions."),
    ok("The secret may read PaymentIntents."),
    ok("The secret may read Refunds."),
    ok("The secret may read Disputes."),
  ]);
  expect(new Set(rig.face.server.asked.map(({ method }) => method))).toEqual(new Set(["GET"]));
});

test("a restricted key is told which right it has not", async () => {
  await using rig = await openStripeGateway({ secret: "rk_test_3Fa03Fa03Fa0" });
  rig.face.denied.push("GET /v1/refunds");

  const lines = await checkStripe(termsOf(rig.face));

  expect(lines.filter((one) => !one.ok)).toEqual([
    { ok: false, text: "Stripe does not know the secret, or it has no right to read Refunds." },
  ]);
});

test("another account's secret is not repeated in what is told of it", async () => {
  await using rig = await openStripeGateway();
  const secret = "sk_test_0therSecret0therSecret";

  const lines = await checkStripe(termsOf(rig.face, { secret }));

  expect(lines.map((one) => one.ok)).toEqual(Array(6).fill(false));
  expect(JSON.stringify(lines)).not.toContain(secret);
});

test("a vendor that is down is said to be", async () => {
  await using rig = await openStripeGateway();
  await rig.face.server.down();

  const [account] = await checkStripe(termsOf(rig.face));

  expect(account).toEqual({
    ok: false,
    text: "Stripe was not asked for the account: there was no answer that can be read.",
  });
});
