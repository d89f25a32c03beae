// The gateways of a shop as those who look after it are told them: what each takes, and where one of the merchant's own
// stands before it takes anything.

import type { GatewayRules } from "#payments/port/gateway.ts";
import type { Reader } from "#platform/database/database.ts";

import { coverageOf, type GatewayCoverage } from "./offered-methods.ts";
import { listCustomRows } from "./queries.ts";
import type { CustomGatewayRow } from "./tables.ts";

/** Returns true if a gateway with this id is the merchant's own. */
export function isCustomId(id: string): boolean {
  return id.includes("-");
}

/** A gateway of the merchant's own without its secrets. */
export interface ShownCustom extends Pick<
  CustomGatewayRow,
  "id" | "url" | "standing" | "version" | "createdAt"
> {
  readonly hasSecret: boolean;
  /** The adapter's name for itself; null before it described itself. */
  readonly label: string | null;
}

export async function listCustom(db: Reader): Promise<ShownCustom[]> {
  return (await listCustomRows(db)).map(shownOf);
}

/** The gateway without its secrets. */
export function shownOf(row: CustomGatewayRow): ShownCustom {
  const { id, url, standing, version, createdAt, placedSecret, described } = row;
  const label = described?.["label"];
  return {
    id,
    url,
    standing,
    version,
    createdAt,
    hasSecret: placedSecret !== null,
    label: typeof label === "string" ? label : null,
  };
}

/** A gateway that takes payments, took some, or waits for its adapter to describe itself. */
export interface KnownGateway extends Pick<GatewayCoverage, "id" | "takes"> {
  readonly standing: CustomGatewayRow["standing"];
  readonly kind: "built_in" | "custom";
  /** The adapter's name for itself; null before it described itself, and of a gateway of this program. */
  readonly label: string | null;
  /** The address of the adapter; null of a gateway of this program. */
  readonly url: string | null;
  /** That of what is stored; null of a gateway of this program. */
  readonly version: number | null;
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
    version: own?.version ?? null,
    takes,
  };
}
