// Opens a visit: as which caller the person asks, and what every page knows of the shop.

import type { AlertsShop } from "#alerts/alerts-shop.ts";
import { Asker } from "#dashboard/kit/asker.ts";
import { Visit, type VisitTerms } from "#dashboard/kit/visit.ts";
import { feedShape } from "#messaging/events/schema.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import type { Person } from "#shop/people/person.ts";
import { RATE_PER_MINUTE, scopesOf } from "#shop/people/roles.ts";
import { storeWire } from "#shop/settings/schema.ts";
import { waitingWire } from "#waiting/schema.ts";

/** The interface as the person asks it in the shop of the mode. */
export function openAsker(
  { visitor, ...terms }: Pick<VisitTerms, "inside" | "request" | "visitor">,
  mode: Mode,
): Asker {
  return new Asker({ ...terms, caller: callerOf(visitor.person, mode) });
}

/** A visit in the shop of the mode. Throws `Refused` if the person asks too often. */
export async function openVisit(
  terms: Omit<VisitTerms, "caller">,
  shop: Pick<AlertsShop, "mode" | "clock" | "mail" | "callOut" | "pushInbox">,
): Promise<Visit> {
  const { mode, clock, mail } = shop;
  const asker = openAsker(terms, mode);
  const { caller } = asker;
  // First: what happens while the page is made is then told again, and never missed.
  const feed = await asker.ask(feedShape, "GET /v2/events", { query: { limit: "1" } });
  const store = await asker.ask(storeWire, "GET /v2/store");
  const waiting = caller.scopes.has("orders:read")
    ? await asker.ask(waitingWire, "GET /v2/waiting")
    : null;
  return new Visit(
    { ...terms, caller },
    {
      store,
      lastSequence: feed.last_sequence,
      now: clock.now(),
      waiting,
      mail,
      pushing: shop,
    },
  );
}

/** The person's idempotency keys belong to the person: a session's token changes. */
function callerOf({ id, name, role }: Person, mode: Mode): Caller {
  return {
    actor: { type: "person", id, name },
    name,
    lineage: id,
    hasPresetFull: false,
    mode,
    scopes: scopesOf(role),
    isPublic: false,
    ratePerMinute: RATE_PER_MINUTE,
    expiresAt: null,
  };
}
