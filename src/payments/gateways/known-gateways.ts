// The gateways of a shop as those who look after it are told them: what each takes, and where one of the merchant's own
// stands before it takes anything.

import type { GatewayRules } from "#payments/port/gateway.ts";
import type { Reader } from "#platform/database/database.ts";

import { isCustomId, listCustom, type ShownCustom } from "./custom-gateways.ts";
import { coverageOf, type GatewayCoverage } from "./offered-methods.ts";
import type { CustomGatewayRow } from "./tables.ts";

/** A gateway that takes payments, took some, or waits for its adapter to describe itself. */
export interface KnownGateway extends Pick<GatewayCoverage, "id" | "takes"> {
  readonly standing: CustomGatewayRow["standing"];
  readonly kind: "built_in" | "custom";
  /** The adapter's name for itself; null before it described itself, and of a gateway of this program. */
  readonly label: string | null;
  /** The address of the adapter; null of a gateway of this program. */
  readonly url: string | null;
}

/** The gateways in the order in which they are asked; then those of the merchant's own that cannot be asked yet. */
export async function listGateways(
  db: Reader,
  gateways: readonly GatewayRules[],
): Promise<KnownGateway[]> {
  const own = await listCustom(db);
  const open = gateways.map((gateway) =>
    knownOf(
      coverageOf(gateway),
      own.find(({ id }) => id === gateway.id),
    ),
  );
  const others = own.filter((one) => !gateways.some(({ id }) => id === one.id));
  return [...open, ...others.map((one) => knownOf({ ...one, takes: [] }, one))];
}

type Standing = Pick<KnownGateway, "id" | "takes" | "standing">;

/** Prefers what is stored: a program that has not read it yet holds an older standing. */
function knownOf({ id, takes, standing }: Standing, own: ShownCustom | undefined): KnownGateway {
  return {
    id,
    kind: isCustomId(id) ? "custom" : "built_in",
    label: own?.label ?? null,
    standing: own?.standing ?? standing,
    url: own?.url ?? null,
    takes,
  };
}
