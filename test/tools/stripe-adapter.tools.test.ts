// The shop's gateway at mocks of Stripe that others wrote, as far as they go. What a mock cannot do is said in the name
// of a test; what it leaves out is unknown to the gateway, and never a failure.

import { describe, expect, setDefaultTimeout, test } from "bun:test";

import { openReceiver } from "../support/receivers.ts";
import {
  byToken,
  callTerms,
  onPage,
  openGatewayAt,
  WEBHOOK_SECRET,
} from "../vendors/stripe/adapter.ts";
import { sessionTerms } from "../vendors/stripe/rig.ts";
import { openEmulate, openStatefulMock, type StripeMock } from "./stripe-mocks.ts";
import { TOOL_MS_MAX } from "./tools.ts";

setDefaultTimeout(TOOL_MS_MAX);

const call = () => callTerms().terms;
const times = () => ({ gatewayEndsAt: Date.now() + 3_600_000, gatewayAskedAt: Date.now() });

/** The mock, the shop's gateway at it, and where its notices arrive. */
async function openWorld() {
  const receiver = openReceiver();
  const mock = await openEmulate({ url: receiver.url, secret: WEBHOOK_SECRET });
  return {
    mock,
    receiver,
    gateway: openGatewayAt(mock),
    [Symbol.asyncDispose]: async () => {
      await mock[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

/** An attempt by card whose intent is made and not confirmed, since the program died between the two calls. */
async function intentAlone({ gateway }: Awaited<ReturnType<typeof openWorld>>) {
  const attempt = byToken("pm_card_visa", times());
  const called = callTerms();
  const dies = async () => {
    throw new Error("The program died.");
  };
  await gateway.initiate(attempt, { ...called.terms, name: dies }).catch(() => null);
  return attempt;
}

describe("emulate, which has intents without charges, sessions of its own prices, and no refunds,", () => {
  test("takes the two calls of a card and reads it by its name: paid, of which no charge is told, is unknown", async () => {
    await using world = await openWorld();
    const attempt = byToken("pm_card_visa", times());
    const called = callTerms();

    const initiation = await world.gateway.initiate(attempt, called.terms);
    const found = await world.gateway.verify({ ...attempt, names: called.named }, call());

    const { data } = await world.mock.stripe.paymentIntents.list();
    const surprise = { trouble: "surprise", pointer: "/latest_charge" } as const;
    expect(initiation).toEqual({ kind: "unknown", ...surprise });
    expect(found).toEqual({ state: "unknown", ...surprise });
    expect(data).toMatchObject([
      {
        id: called.named[0]?.name,
        status: "succeeded",
        amount: 2450,
        currency: "eur",
        metadata: { duka_reference: attempt.gatewayReference },
      },
    ]);
  });

  test("cancels an intent whose name was lost: it is found in its list by the shop's reference", async () => {
    await using world = await openWorld();
    await world.mock.stripe.paymentIntents.create({ amount: 100, currency: "eur" });
    const attempt = await intentAlone(world);

    const cancelled = await world.gateway.cancel(attempt, call());
    const again = await world.gateway.cancel(attempt, call());

    const { data } = await world.mock.stripe.paymentIntents.list();
    const standings = data.map(({ status, metadata }) => [status, metadata["duka_reference"]]);
    expect([cancelled, again]).toEqual([{ kind: "cancelled" }, { kind: "cancelled" }]);
    expect(standings).toContainEqual(["canceled", attempt.gatewayReference]);
    expect(standings).toContainEqual(["requires_payment_method", undefined]);
  });

  test("keeps no keys: an attempt that is asked for twice has two intents, which Stripe would not make", async () => {
    await using world = await openWorld();
    const attempt = await intentAlone(world);
    await world.gateway.initiate(attempt, call());

    const { data } = await world.mock.stripe.paymentIntents.list();

    const references = data.map(({ metadata }) => metadata["duka_reference"]);
    expect(references).toEqual([attempt.gatewayReference, attempt.gatewayReference]);
  });

  test("tells of an intent that no card was sent to, for which no money was asked", async () => {
    await using world = await openWorld();
    const attempt = await intentAlone(world);

    expect(await world.gateway.verify(attempt, call())).toEqual({ state: "not_found" });
  });

  test("refuses a page with a price of the shop's own, which calls the operator", async () => {
    await using world = await openWorld();
    const attempt = onPage(times());

    const refused = await world.gateway.initiate(attempt, call());

    expect(refused).toMatchObject({ kind: "declined", failureCode: "other", trouble: "surprise" });
    expect(await world.gateway.verify(attempt, call())).toEqual({ state: "not_found" });
  });

  test("repeats no reference of a page of its own price, which is not taken for the shop's and left open", async () => {
    await using world = await openWorld();
    const attempt = onPage(times());
    const { checkout } = world.mock.stripe;
    const { id } = await checkout.sessions.create(
      sessionTerms({
        client_reference_id: attempt.gatewayReference,
        line_items: [{ price: "price_1", quantity: 1 }],
      }),
    );
    const named = { ...attempt, names: [{ kind: "session", name: id }] } as const;

    const found = await world.gateway.verify(named, call());
    const cancelled = await world.gateway.cancel(named, call());

    expect([found, cancelled]).toEqual([{ state: "not_found" }, { kind: "cancelled" }]);
    expect((await checkout.sessions.retrieve(id)).status).toBe("open");
  });

  test("signs notices as the gateway proves them, but gives them no id: they are read, and refused", async () => {
    await using world = await openWorld();
    await world.gateway.initiate(byToken("pm_card_visa", times()), call());

    const [notice] = await world.receiver.next();
    if (notice === undefined) throw new Error("No notice came.");
    const { bytes, headers } = notice;
    const read = (given: Uint8Array) => () =>
      world.gateway.parseWebhook({ bytes: given, headers, token: null });

    expect(read(bytes)).toThrow("Unexpected value at /id");
    expect(read(bytes.toReversed())()).toEqual({ kind: "reject" });
  });

  test("has no list of refunds and none of disputes: unknown, rather than none", async () => {
    await using world = await openWorld();
    const { id: name } = await world.mock.stripe.paymentIntents.create({
      amount: 2450,
      currency: "eur",
    });
    const attempt = byToken("pm_card_visa", { ...times(), names: [{ kind: "intent", name }] });

    expect([
      await world.gateway.findRefunds(attempt, call()),
      await world.gateway.findDisputes?.(attempt, [], call()),
    ]).toMatchObject([{ kind: "unknown" }, { kind: "unknown" }]);
  });
});

/** A refund of the shop's that the vendor's client makes, because the mock has charges alone. */
async function refundAt({ stripe }: StripeMock, source: string) {
  const { id: charge } = await stripe.charges.create({ amount: 2450, currency: "eur", source });
  const metadata = { duka_refund: "ref_01kf0000000000000000000001" };
  const { id } = await stripe.refunds.create({ charge, amount: 500, metadata });
  const names = [{ kind: "intent", name: charge }] as const;
  const attempt = byToken("tok_visa", { ...times(), names });
  const tried = { gatewayRefundId: id, reason: "other", wasAsked: true, createdAt: 0 } as const;
  const reference = metadata.duka_refund;
  const refundId = "ref_01kf0000000000000000000001" as const;
  const money = { amountMinor: 500, currency: "EUR" } as const;
  return { id, attempt, refund: { refundId, reference, attempt, ...tried, ...money } };
}

describe("stripe-stateful-mock, which has charges and refunds of 2020, and neither intents nor sessions,", () => {
  test("has a refund read by its name", async () => {
    await using mock = await openStatefulMock();
    const { id, refund } = await refundAt(mock, "tok_visa");

    expect(await openGatewayAt(mock).verifyRefund(refund, call())).toEqual({
      kind: "succeeded",
      gatewayRefundId: id,
    });
  });

  test("has a refund found in its list by the shop's name", async () => {
    await using mock = await openStatefulMock();
    const { id, attempt } = await refundAt(mock, "tok_visa");

    expect(await openGatewayAt(mock).findRefunds(attempt, call())).toMatchObject({
      kind: "found",
      refunds: [{ gatewayRefundId: id, amountMinor: 500, currency: "EUR", isMadeElsewhere: false }],
    });
  });

  test("does not know a refund of another account: unknown, and the operator is called", async () => {
    await using mock = await openStatefulMock();
    const { refund } = await refundAt(mock, "tok_visa");

    const other = { ...refund, gatewayRefundId: "re_other" };

    expect(await openGatewayAt(mock).verifyRefund(other, call())).toEqual({
      kind: "unknown",
      trouble: "misconfigured",
    });
  });

  test("does not know what an intent is: a refund that the gateway asks for fails, and returns nothing", async () => {
    await using mock = await openStatefulMock();
    const { refund } = await refundAt(mock, "tok_visa");
    const own = { ...refund, reference: "ref_2", gatewayRefundId: null };

    const outcome = await openGatewayAt(mock).refund(own, call());

    expect(outcome).toMatchObject({ kind: "failed" });
    expect((await mock.stripe.refunds.list()).data).toHaveLength(1);
  });

  test.each([
    ["a page", onPage(times())],
    ["a card", byToken("pm_card_visa", times())],
  ])(
    "has no way to ask for %s: nothing is found, and the operator is called",
    async (_, attempt) => {
      await using mock = await openStatefulMock();
      const gateway = openGatewayAt(mock);

      expect(await gateway.initiate(attempt, call())).toMatchObject({ trouble: "surprise" });
      expect(await gateway.verify(attempt, call())).toMatchObject({ state: "unknown" });
    },
  );
});
