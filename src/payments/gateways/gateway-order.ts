// Rules: the order in which the gateways of a shop are asked.

import type { GatewayRules } from "./port.ts";

/** The gateways in the order of these ids; those that are not named follow in their own order. */
export function inOrder<G extends GatewayRules>(
  gateways: readonly G[],
  ids: readonly string[],
): G[] {
  const place = ({ id }: G) => (ids.includes(id) ? ids.indexOf(id) : ids.length);
  return gateways.toSorted((one, other) => place(one) - place(other));
}

/** The ids that no gateway has. */
export function unknownOf(
  ids: readonly string[],
  gateways: readonly Pick<GatewayRules, "id">[],
): string[] {
  return ids.filter((id) => !gateways.some((one) => one.id === id));
}
