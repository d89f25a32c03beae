// What a gateway calls a payment: told in an answer or in the middle of a call, and kept for good.

import { describe, expect, test } from "bun:test";

import type { GatewayAttempt, GatewayCallTerms, Initiation } from "#payments/port/gateway.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import type { GatewayName } from "#payments/rows/payment-life.ts";

import { nothingReported, ScriptedGateway } from "../../support/scripted-gateway.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { initialize, openScriptedShop, pass, settle } from "../scripted-shop.ts";

const link = { amount: 5, currency: "USD" };

/** Notes the names that it is given, and names each attempt in the middle of the call. */
class NamingGateway extends ScriptedGateway {
  readonly given: (readonly GatewayName[])[] = [];

  override async initiate(attempt: GatewayAttempt, terms?: GatewayCallTerms): Promise<Initiation> {
    await super.initiate(attempt);
    await terms?.name([{ kind: "intent", name: "pi_1" }]);
    throw new Error("The connection broke after the name was saved.");
  }

  override async verify(attempt: GatewayAttempt) {
    this.given.push(attempt.names);
    return super.verify(attempt);
  }
}

/** A notice of the gateway that has no reference of the shop's. */
function tell(shop: TestShop, named: string): Promise<Response> {
  return fetch(`${shop.url}/hooks/test/scripted`, {
    method: "POST",
    headers: { "x-signature": "right" },
    body: JSON.stringify({ id: `evt ${named}`, named }),
  });
}

function pageNamed(name: string): () => Promise<Initiation> {
  const page = { kind: "redirect", url: "https://pay.example/1", expiresAt: null } as const;
  return async () => ({ ...page, names: [{ kind: "session", name }] });
}

function differences(shop: TestShop) {
  return Array.fromAsync(auditPayments(shop.test.database.read));
}

test("a name that is reported in the middle of a call is known to the next one, though the first broke", async () => {
  const gateway = new NamingGateway();
  await using shop = await openTestShop({ gateways: [gateway] });
  const payment = await initialize(shop, link);

  await pass(shop, 15);

  expect([payment.status, payment.at("/status")]).toEqual([201, "pending"]);
  expect(gateway.given).toEqual([[{ kind: "intent", name: "pi_1" }]]);
});

test("a notice without a reference finds the payment by a name", async () => {
  const { shop: scripted, gateway } = await openScriptedShop();
  await using shop = scripted;
  gateway.nextAnswer = pageNamed("cs_1");
  const payment = await initialize(shop, link);
  gateway.pay(payment.id);

  await tell(shop, "cs_other");
  await settle(shop);
  const before = gateway.polls;
  await tell(shop, "cs_1");
  await settle(shop);

  expect([before, gateway.polls]).toEqual([0, 1]);
  expect((await shop.get(`/v2/payments/${payment.id}`)).at("/status")).toBe("succeeded");
});

describe("a check", () => {
  test("finds nothing where each paid attempt has a name of its own", async () => {
    const { shop: scripted, gateway } = await openScriptedShop();
    await using shop = scripted;
    for (const name of ["cs_1", "cs_2"]) {
      gateway.nextAnswer = pageNamed(name);
      gateway.pay((await initialize(shop, link)).id);
    }
    await pass(shop, 15);

    expect(await differences(shop)).toEqual([]);
  });

  test("finds a paid attempt whose only name is that of another", async () => {
    const { shop: scripted, gateway } = await openScriptedShop();
    await using shop = scripted;
    const paid: string[] = [];
    for (const _ of [1, 2]) {
      const { id } = await initialize(shop, link);
      paid.push(id);
      gateway.nextOutcome = {
        state: "succeeded",
        gatewayReference: gateway.referenceOf(id),
        mode: "test",
        amountMinor: 500,
        currency: "USD",
        names: [{ kind: "charge", name: "ch_1" }],
        ...nothingReported,
        returnedMinor: 0,
      };
      shop.clock.advance(10_000);
      await shop.get(`/v2/payments/${id}`);
    }

    expect(await differences(shop)).toEqual([
      { subject: paid[1] ?? "", what: "names at scripted", expected: "one or more", found: 0 },
    ]);
  });
});
