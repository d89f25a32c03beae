// The way to a new password for who has forgotten theirs: a link to an email that they have confirmed. Invariant: the answer
// is made before anything is looked up, so that neither its words nor its time tell who has which email.

import { mailRecovery } from "#alerts/mail-own-email.ts";
import { readFields } from "#dashboard/kit/forms/submit-form.ts";
import { bareResponse, redirect } from "#dashboard/kit/respond.ts";
import type { DashboardTerms } from "#dashboard/kit/terms.ts";
import { HOUR_MS, MINUTE_MS, monotonicMs } from "#kernel/time.ts";
import { Budgets } from "#platform/http/limits/budgets.ts";
import type { RouteContext } from "#platform/http/router.ts";
import { addressOfLink } from "#shop/people/credentials/link.ts";
import { makeLink } from "#shop/people/credentials/make-link.ts";
import { findPersonWithEmail } from "#shop/people/lookups.ts";
import { getStore } from "#shop/store/lookups.ts";

import { forgotPage } from "./sign-in-pages.ts";

/** How long the link can be used: less than one that a person hands over. */
const LINK_MS = 30 * MINUTE_MS;
/** Links to one person, and asked for from one network, in an hour. */
const OF_PERSON = { name: "forgot by person", unit: "all", limit: 3, perMs: HOUR_MS } as const;
const OF_NETWORK = { name: "forgot by network", unit: "all", limit: 10, perMs: HOUR_MS } as const;

type Mount = (path: string, reply: (context: RouteContext) => Promise<Response>) => unknown;

/** Adds `/dashboard/forgot`. */
export function mountForgot(mount: Mount, terms: DashboardTerms): void {
  const budgets = new Budgets();
  mount("/dashboard/forgot", async ({ request }) => {
    const { live } = terms.shops;
    const { name, recoveryByEmail } = await getStore(live.database.read);
    if (live.mail === null || !recoveryByEmail) return redirect("/dashboard/enter");
    if (request.method !== "POST") return bareResponse(request, forgotPage(name, false));
    const fields = await readFields(request, terms.bodies);
    const email = (fields.get("/email") ?? "").trim().toLowerCase();
    const network = terms.networkOf(request) ?? "";
    const charge = { budget: OF_NETWORK, unit: network, network };
    if (budgets.take([charge], monotonicMs()) === null) {
      live.sendLater(() => sendLink(terms, budgets, email));
    }
    return bareResponse(request, forgotPage(name, true));
  });
}

/** Sends the link, if a person has confirmed the email and asked for no more than a few. Throws where no email left the shop. */
async function sendLink(
  { shops: { live }, url }: DashboardTerms,
  budgets: Budgets,
  email: string,
): Promise<null> {
  const { database } = live;
  const person = await findPersonWithEmail(database.read, email);
  if (person === null) return null;
  const { id, name } = person;
  const charge = { budget: OF_PERSON, unit: id, network: id };
  if (budgets.take([charge], monotonicMs()) !== null) return null;
  const link = { kind: "recovery", personId: id, by: name, lifeMs: LINK_MS } as const;
  const actor = { type: "person", id } as const;
  const token = await database.write((tx) => makeLink(tx, link), { actor });
  const minutes = LINK_MS / MINUTE_MS;
  await mailRecovery(live, { name, address: email }, { url: addressOfLink(url(), token), minutes });
  return null;
}
