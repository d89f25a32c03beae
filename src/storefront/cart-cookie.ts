// The cookie that has the id of a visitor's cart. The id is the right to the cart, so no script reads it.

import { DAY_MS, SECOND_MS } from "#kernel/time.ts";

import type { ShopTerms } from "./shop-visit.ts";

/** As long as a cart that is not touched can be ordered. */
const KEPT_MS = 30 * DAY_MS;

type Place = Pick<ShopTerms, "base" | "publicUrl">;

/** The id in the request's cookie; empty for none. */
export function readCartCookie(request: Request, place: Place): string {
  const wanted = `${nameOf(place)}=`;
  const sent = (request.headers.get("cookie") ?? "").split(";").map((one) => one.trim());
  return sent.find((one) => one.startsWith(wanted))?.slice(wanted.length) ?? "";
}

/** The header that keeps the id. */
export function cartCookie(id: string, place: Place): string {
  return [
    `${nameOf(place)}=${id}`,
    `Path=${place.base === "" ? "/" : place.base}`,
    "HttpOnly",
    // Not Strict: a link in a message leads to the cart.
    "SameSite=Lax",
    ...(isSecure(place) ? ["Secure"] : []),
    `Max-Age=${KEPT_MS / SECOND_MS}`,
  ].join("; ");
}

/** Browsers refuse `__Host-` for a cookie of a path, and know no ports. */
function nameOf(place: Place): string {
  const stem = place.base === "" ? "duka-cart" : "duka-test-cart";
  if (!isSecure(place)) return `${stem}-${new URL(place.publicUrl()).port || "80"}`;
  return place.base === "" ? `__Host-${stem}` : stem;
}

function isSecure({ publicUrl }: Place): boolean {
  return publicUrl().startsWith("https:");
}
