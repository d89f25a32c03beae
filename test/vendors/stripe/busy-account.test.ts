// An account in which others sell thousands a day. What the shop asked for while the answer was lost is found among
// them by when it was asked for, in a few pages.

import { expect, test } from "bun:test";

import type { SessionRow } from "#mocks/stripe/account.ts";
import type { StripeFace } from "#mocks/stripe/stripe-face.ts";

import { initialize, pass } from "../../payments/scripted-shop.ts";
import { callTerms, onPage, openStripeGateway } from "./adapter.ts";
import { clientOf, sessionTerms } from "./rig.ts";
import { openStripeShop } from "./stripe-shop.ts";

const HOUR_MS = 3_600_000;
const STARTS_AT = Date.UTC(2026, 0, 5, 8);
const SESSIONS = { call: "POST /v1/checkout/sessions" };
const lostAfter = { moment: "after", fault: { kind: "reset" } } as const;

/** Others sell so much at the account at this time; what is added last is listed first. */
async function others(face: StripeFace, { many, at }: { many: number; at: number }): Promise<void> {
  const { id } = await clientOf(face).checkout.sessions.create(sessionTerms());
  const made: SessionRow = face.account.sessions.get(id);
  const { sessions } = face.account;
  for (let n = 0; n < many; n += 1) {
    sessions.add({ ...made, id: `${id}${n}`, reference: `other-${n}`, createdAt: at });
  }
}

async function openBusy() {
  const rig = await openStripeGateway({ startsAt: STARTS_AT });
  const askedAt = STARTS_AT + 8 * HOUR_MS;
  await others(rig.face, { many: 900, at: STARTS_AT });
  rig.face.pass(8 * HOUR_MS);
  const attempt = onPage({ gatewayEndsAt: askedAt + HOUR_MS, gatewayAskedAt: askedAt });
  return { ...rig, attempt, askedAt };
}

test("a page whose answer was lost is found, and asks for few pages of the list", async () => {
  await using rig = await openBusy();
  rig.face.faults.plan(lostAfter, SESSIONS);
  await rig.gateway.initiate(rig.attempt, callTerms().terms);
  const own = rig.face.account.sessions.all().at(-1);
  await others(rig.face, { many: 150, at: rig.askedAt + 60_000 });
  await others(rig.face, { many: 900, at: rig.askedAt + HOUR_MS / 2 });
  const before = rig.face.server.asked.length;

  const found = await rig.gateway.verify(rig.attempt, callTerms().terms);

  expect(found).toEqual({ state: "pending", names: [{ kind: "session", name: own?.id ?? "" }] });
  expect(rig.face.server.asked.length - before).toBeLessThan(5);
});

test("a page that Stripe never had is not found", async () => {
  await using rig = await openBusy();
  await others(rig.face, { many: 900, at: rig.askedAt + HOUR_MS / 2 });

  const found = await rig.gateway.verify(rig.attempt, callTerms().terms);

  expect(found).toEqual({ state: "not_found" });
});

test("a page that is found is not looked for in older pages of the list", async () => {
  await using rig = await openBusy();
  await others(rig.face, { many: 990, at: rig.askedAt - 60_000 });
  rig.face.faults.plan(lostAfter, SESSIONS);
  await rig.gateway.initiate(rig.attempt, callTerms().terms);
  const before = rig.face.server.asked.length;

  const found = await rig.gateway.verify(rig.attempt, callTerms().terms);

  expect(found.state).toBe("pending");
  expect(rig.face.server.asked.length - before).toBe(2);
});

test("a page that was lost, and asked for anew and lost again 20 minutes later, is found and closed", async () => {
  await using opened = await openStripeShop();
  const { shop, face } = opened;
  const asked = { order_id: (await opened.order()).id };
  face.faults.plan(lostAfter, SESSIONS);
  await initialize(shop, asked);
  await pass(shop, 1_200);
  face.faults.plan(lostAfter, SESSIONS);

  const again = await initialize(shop, asked);
  const closed = await shop.post(`/v2/payments/${again.id}/cancel`);

  // The first one's address was told to no one.
  expect(face.account.sessions.all().map(({ status }) => status)).toEqual(["open", "expired"]);
  expect(closed.at("/status")).toBe("cancelled");
});
