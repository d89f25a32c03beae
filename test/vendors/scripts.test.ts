// The payers of a vendor's face do what the simulated gateway does with the same value.

import { expect, test } from "bun:test";

import { payerOfCard, payerOfPhone } from "#mocks/scripts.ts";
import { magicValues } from "#sandbox/simulated-gateway/magic.ts";

import { attempt, byCard, byPhone, openSimulatedRig } from "../sandbox/simulated-rig.ts";

const SECONDS = 700;

interface Value {
  readonly kind: "card" | "phone";
  readonly value: string;
}

/** What the simulated gateway says of the value at the end, with the attempt that reached it. */
async function simulate({ kind, value }: Value) {
  await using rig = await openSimulatedRig();
  const paying = kind === "card" ? byCard(value) : byPhone(value);
  const again = { ...paying, gatewayReference: `${paying.gatewayReference}-2` };
  const { kind: first } = await rig.gateway.initiate(paying);
  const arrived = first === "not_sent" ? again : paying;
  await rig.gateway.initiate(arrived);
  await rig.pass(SECONDS);
  return await rig.gateway.verify(arrived);
}

/** What the payer of the value comes to, in the words of the port. */
function played({ kind, value }: Value) {
  const payer = kind === "card" ? payerOfCard(value, 0) : payerOfPhone(value, 0);
  if (payer === null || payer.fate === "lost_before") return { state: "not_found" };
  const state = payer.stateAt(SECONDS * 1000);
  if (typeof state === "string") return { state: "pending" };
  const { amountMinor, currency } = attempt();
  return state.state === "failed" ? state : { ...state, ...payer.takes({ amountMinor, currency }) };
}

test.each(magicValues.map((magic) => [magic.value, magic] as const))(
  "%s ends as at the simulated gateway",
  async (_, magic) => {
    expect(await simulate(magic)).toMatchObject(played(magic));
  },
);

test("a payer who must decide waits, and one whose bank works ends by itself", () => {
  const challenged = payerOfCard("pm_card_threeDSecure2Required", 0);
  const working = payerOfCard("pm_test_pendingThenSuccess", 0);

  expect([challenged?.stateAt(0), challenged?.endsAt]).toEqual(["challenged", null]);
  expect([working?.stateAt(4999), working?.endsAt]).toEqual(["working", 5000]);
  expect(working?.stateAt(5000)).toEqual({ state: "succeeded" });
});

test("an answer is lost before or after its effect, or refused once, as the table says", () => {
  const fates = ["timeoutPaid", "timeoutNotFound", "gatewayError", "amountShort"].map(
    (name) => payerOfCard(`pm_test_${name}`, 0)?.fate,
  );

  expect(fates).toEqual(["lost_after", "lost_before", "refused_once", "arrives"]);
});

test("a card that the table does not have pays nothing", () => {
  expect(payerOfCard("pm_card_of_nobody", 0)).toBeNull();
});
