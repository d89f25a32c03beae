// The worlds in which gateways must keep the contract of the port: each gateway with its vendor's side.

import type { World } from "#payments/gateways/contract/world.ts";

import { attempt, openSimulatedRig } from "../sandbox/simulated-rig.ts";
import { CallbackGateway } from "./callback-gateway.ts";
import { serveGateway } from "./http/serve-gateway.ts";
import { openPageWorld as openPaystackPage, openPhoneWorld } from "./paystack/rig.ts";
import { openCardWorld, openPageWorld } from "./stripe/adapter.ts";

const TOKEN = "k3yr1ng";

async function openSimulatedWorld(): Promise<World> {
  const rig = await openSimulatedRig();
  return {
    gateway: rig.gateway,
    attempt: attempt(),
    answer: async ({ gatewayReference }, decision) => {
      const failureCode = decision === "declined" ? "not_approved" : null;
      await rig.gateway.play(gatewayReference, { decision, failureCode });
      const notice = rig.notices.at(-1);
      if (notice === undefined) throw new Error("The gateway sent no notice.");
      return { ...notice, token: null };
    },
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

async function openCallbackWorld(): Promise<World> {
  const gateway = new CallbackGateway(TOKEN);
  const gatewayReference = gateway.newReference("pay_01kf0000000000000000000001", 1);
  return {
    gateway,
    attempt: attempt({ method: "mobile_money", phone: "+233551234000", gatewayReference }),
    answer: async (made, answer) => gateway.answer(made.gatewayReference, answer),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** A world, and the rows of the contract that are not of its vendor. */
export interface NamedWorld {
  readonly name: string;
  readonly open: () => Promise<World>;
  readonly except?: readonly string[];
}

export const worlds: readonly NamedWorld[] = [
  { name: "the simulated gateway", open: openSimulatedWorld },
  { name: "a gateway that signs nothing", open: openCallbackWorld },
  { name: "Stripe by a card", open: openCardWorld },
  { name: "Stripe by a page", open: openPageWorld },
  { name: "Paystack by a phone", open: openPhoneWorld },
  { name: "Paystack by a page", open: openPaystackPage },
];

/** The same world with an adapter between the shop and its gateway. */
export async function throughAdapter(open: () => Promise<World>): Promise<World> {
  const world = await open();
  const served = await serveGateway(world.gateway);
  return {
    ...world,
    gateway: served.gateway,
    answer: async (made, answer) => {
      const arrived = await world.answer(made, answer);
      return arrived === null ? null : served.noticeOf(arrived);
    },
    [Symbol.asyncDispose]: async () => {
      await served[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}
