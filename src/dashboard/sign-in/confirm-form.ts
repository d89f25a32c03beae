// A form that needs the password again, or a passkey: the page that asks for it carries what was typed, and sends it on
// with the password. Invariant: no page carries a secret that was typed.

import { catchRefusal, type SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import { relyingPartyOf } from "#dashboard/kit/headers.ts";
import { bareResponse, redirect } from "#dashboard/kit/respond.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { confirmWithPasskey } from "#shop/people/passkeys/enter-with-passkey.ts";
import { listPasskeysOf } from "#shop/people/passkeys/lookups.ts";
import type { RelyingParty } from "#shop/people/passkeys/passkey.ts";
import type { PeopleShop } from "#shop/people/people-shop.ts";
import { confirmPerson } from "#shop/people/sessions/confirm-person.ts";
import type { RenewedSession, Visitor } from "#shop/people/sessions/session.ts";

import { confirmPage } from "./sign-in-pages.ts";

/** Fields that the page adds to those of the form. */
const NAMES: ConfirmNames = { password: "confirm-password", passkey: "confirm-passkey" };
const BACK = "confirm-back";
/** Fields of forms that are never shown again. */
const SECRETS = ["/password"];

/** The answer to a form. */
interface Answered {
  /** True if it is a file: the page that asked for the password stays. */
  readonly isDownload: boolean;
}

/** Returns true if the form has a secret, which no page carries. */
export function hasSecret(fields: URLSearchParams): boolean {
  return SECRETS.some((name) => fields.has(name));
}

/** The password again, which leads back to the page as it was asked for. */
export function confirmFirst(visit: Visit): Response {
  return redirect(`/dashboard/confirm?to=${encodeURIComponent(backOf(visit))}`);
}

/** The session once the password was right, or the page that asks for it and carries the form. */
export async function confirmForm(
  visit: Visit,
  fields: URLSearchParams,
  answered: Answered,
): Promise<RenewedSession | Response> {
  if (hasSecret(fields)) return confirmFirst(visit);
  if (!fields.has(NAMES.password)) return askAgain(visit, fields, { ...answered, submitted: null });
  const party = relyingPartyOf(visit.request, visit.dashboardUrl);
  const outcome = await confirmWith(visit, { fields, party, names: NAMES });
  if ("value" in outcome) return outcome.value;
  return askAgain(visit, fields, { ...answered, submitted: outcome.submitted });
}

/** The names of the fields with which a person confirms who they are. */
interface ConfirmNames {
  readonly password: string;
  readonly passkey: string;
}

interface ConfirmTerms {
  /** The host of passkeys; null where there are none. */
  readonly party: RelyingParty | null;
  readonly names: ConfirmNames;
}

/** Confirms with the passkey of the form, or else with its password: the renewed session, or the refused form. */
export function confirmWith(
  { people, visitor }: Pick<Visit, "people" | "visitor">,
  { fields, party, names }: ConfirmTerms & { readonly fields: URLSearchParams },
) {
  const response = fields.get(names.passkey) ?? "";
  return catchRefusal({ name: "sign-in", fields }, () =>
    response !== "" && party !== null
      ? confirmWithPasskey(people, visitor, { response, party })
      : confirmPerson(people, visitor, fields.get(names.password) ?? ""),
  );
}

/** The field that takes a passkey; null where there is none to be used. */
export async function passkeyFieldOf(
  { database }: PeopleShop,
  { person }: Visitor,
  { party, names }: ConfirmTerms,
): Promise<string | null> {
  const isPossible = party !== null && (await listPasskeysOf(database.read, person.id)).length > 0;
  return isPossible ? names.passkey : null;
}

/** The fields of the form itself. */
export function withoutConfirmation(fields: URLSearchParams): URLSearchParams {
  const added = [...Object.values(NAMES), BACK];
  return new URLSearchParams([...fields].filter(([name]) => !added.includes(name)));
}

async function askAgain(
  visit: Visit,
  fields: URLSearchParams,
  { submitted, isDownload }: Answered & { readonly submitted: SubmittedForm | null },
): Promise<Response> {
  const party = relyingPartyOf(visit.request, visit.dashboardUrl);
  const to = fields.has(BACK) ? destination(fields.get(BACK)) : backOf(visit);
  const shown = confirmPage({
    shop: visit.store.name,
    name: visit.visitor.person.name,
    to,
    submitted,
    isDownload,
    action: `${visit.url.pathname}${visit.url.search}`,
    field: NAMES.password,
    passkeyField: await passkeyFieldOf(visit.people, visit.visitor, { party, names: NAMES }),
    hidden: [...withoutConfirmation(fields), [BACK, to]],
  });
  return bareResponse(visit.request, shown);
}

/** The page on which the person was: the page itself, or that on which its form stood. */
function backOf({ page, request, url }: Visit): string {
  if (request.method !== "POST") return `${page}${url.search}`;
  const from = URL.parse(request.headers.get("referer") ?? "");
  if (from === null || from.host !== request.headers.get("host")) return page;
  return from.pathname === url.pathname ? page : destination(`${from.pathname}${from.search}`);
}

// The path to which the ways in lead: a path that came with a request.

/**
 * The path, if it is one of the dashboard's own, or else its first page. It is led to by a sign-in, so that the page
 * would believe what `done` says, and any link can lead to one: it is left out.
 */
export function destination(to: string | null): string {
  // Visible ASCII alone: no other character belongs into a header. Steps up would lead out of the dashboard.
  if (to === null || !/^\/dashboard(?:[/?][!-[\]-~]*)?$/.test(to)) return "/dashboard";
  if (!/^\/dashboard(?:\/|$)/.test(URL.parse(to, "http://dashboard")?.pathname ?? "")) {
    return "/dashboard";
  }
  const [path = "", ...rest] = to.split("?");
  const query = new URLSearchParams(rest.join("?"));
  if (!query.has("done")) return to;
  query.delete("done");
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
