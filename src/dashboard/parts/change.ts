// The change of a sale at the counter. No one keeps what was handed over, so that the amount stands in the address that
// follows the sale, sealed: an address that another person made says nothing.

import { timingSafeEqual } from "node:crypto";

import { readCookie } from "../sign-in/session-cookie.ts";
import type { Visit } from "../visit.ts";

/** The query by which the order's page says the change, minor units; empty for none. */
export function changeQuery(visit: Visit, orderId: string, changeMinor: number): string {
  if (changeMinor <= 0) return "";
  return `?change=${changeMinor}&seal=${sealOf(visit, orderId, String(changeMinor))}`;
}

/** The change that the address of the order's page says, minor units; null where it has none of this session. */
export function changeOf(visit: Visit, orderId: string): number | null {
  const said = visit.query("change");
  if (!/^\d{1,12}$/.test(said)) return null;
  const seal = Buffer.from(visit.query("seal"));
  const wanted = Buffer.from(sealOf(visit, orderId, said));
  return seal.length === wanted.length && timingSafeEqual(seal, wanted) ? Number(said) : null;
}

/** Only the browser and the server know the token of the session. */
function sealOf({ request, dashboardUrl }: Visit, orderId: string, change: string): string {
  const token = readCookie(request, dashboardUrl, "session");
  return new Bun.CryptoHasher("sha256", token).update(`change ${orderId} ${change}`).digest("hex");
}
