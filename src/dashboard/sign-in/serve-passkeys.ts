// Gives a browser what it needs to make a passkey or to use one. Strangers ask for it as well: how much they get is
// bounded, and above that only networks are refused that had their share.

import { relyingPartyOf } from "#dashboard/kit/headers.ts";
import { readCookie, writeCookie } from "#dashboard/kit/session-cookie.ts";
import type { DashboardTerms } from "#dashboard/kit/terms.ts";
import { monotonicMs } from "#kernel/time.ts";
import { Budgets } from "#platform/http/limits/budgets.ts";
import type { RouteContext } from "#platform/http/router.ts";
import { signInBusy } from "#shop/people/credentials/hashing.ts";
import {
  creationOptions,
  makeChallenge,
  requestOptions,
} from "#shop/people/passkeys/make-challenge.ts";
import { CHALLENGE_MS, type RelyingParty } from "#shop/people/passkeys/passkey.ts";
import type { Person } from "#shop/people/person.ts";
import { findVisitor } from "#shop/people/sessions/open-session.ts";
import { getStore } from "#shop/store/lookups.ts";

/** Challenges of strangers in five minutes: for so long each has a row. */
const STRANGERS = {
  name: "challenges",
  unit: "all",
  limit: 1_000,
  perMs: CHALLENGE_MS,
  fair: true,
} as const;

type Mount = (path: string, reply: (context: RouteContext) => Promise<Response>) => unknown;

/** Adds `/dashboard/passkey/{purpose}`, to which the script of passkeys posts. */
export function mountPasskeys(mount: Mount, terms: DashboardTerms): void {
  const strangers = new Budgets();
  mount("/dashboard/passkey/:purpose", async ({ request, params }) => {
    const party = relyingPartyOf(request, terms.url());
    if (request.method !== "POST" || party === null) return empty(404);
    if (params["purpose"] === "enter") return offerToStranger(terms, request, { party, strangers });
    const { database, clock } = terms.people;
    const token = readCookie(request, terms.url(), "session");
    const visitor = await findVisitor(database.read, token, clock.now());
    if (visitor === null) return empty(401);
    const { person } = visitor;
    if (params["purpose"] === "confirm") return offerToConfirm(terms, { party, person });
    return params["purpose"] === "register" ? offerToAdd(terms, { party, person }) : empty(404);
  });
}

async function offerToStranger(
  { people: { database }, networkOf, url }: DashboardTerms,
  request: Request,
  { party, strangers }: { readonly party: RelyingParty; readonly strangers: Budgets },
): Promise<Response> {
  const charge = { budget: STRANGERS, unit: "all", network: networkOf(request) ?? "" };
  if (strangers.take([charge], monotonicMs()) !== null) throw signInBusy();
  const challenge = await database.write((tx) =>
    makeChallenge(tx, { purpose: "enter", personId: null }),
  );
  const options = await requestOptions(database.read, { challenge, party, person: null });
  const response = json(options);
  response.headers.append("Set-Cookie", writeCookie(url(), "challenge", { value: challenge }));
  return response;
}

interface Offer {
  readonly party: RelyingParty;
  readonly person: Person;
}

async function offerToConfirm({ people }: DashboardTerms, offer: Offer): Promise<Response> {
  const { database } = people;
  const challenge = await database.write((tx) =>
    makeChallenge(tx, { purpose: "confirm", personId: offer.person.id }),
  );
  return json(await requestOptions(database.read, { ...offer, challenge }));
}

async function offerToAdd({ people }: DashboardTerms, offer: Offer): Promise<Response> {
  const { database } = people;
  const { name: shopName } = await getStore(database.read);
  const challenge = await database.write((tx) =>
    makeChallenge(tx, { purpose: "register", personId: offer.person.id }),
  );
  return json(await creationOptions(database.read, { ...offer, challenge, shopName }));
}

function json(value: object): Response {
  return Response.json(value, {
    headers: { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" },
  });
}

function empty(status: number): Response {
  return new Response(null, { status, headers: { "Cache-Control": "no-store" } });
}
