// A form that needs the password again: the page that asks for it carries what was typed, and sends it on with the
// password. Invariant: no page carries a secret that was typed.

import { catchRefusal, type SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import { bareResponse, redirect } from "#dashboard/kit/respond.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { confirmPerson } from "#shop/people/sessions/confirm-person.ts";
import type { RenewedSession } from "#shop/people/sessions/session.ts";

import { confirmPage } from "./sign-in-pages.ts";

/** Fields that the page adds to those of the form. */
const PASSWORD = "confirm-password";
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
  const password = fields.get(PASSWORD);
  if (password === null) return askAgain(visit, fields, { ...answered, submitted: null });
  const outcome = await catchRefusal({ name: "sign-in", fields }, () =>
    confirmPerson(visit.people, visit.visitor, password),
  );
  if ("value" in outcome) return outcome.value;
  return askAgain(visit, fields, { ...answered, submitted: outcome.submitted });
}

/** The fields of the form itself. */
export function withoutConfirmation(fields: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...fields].filter(([name]) => name !== PASSWORD && name !== BACK));
}

function askAgain(
  visit: Visit,
  fields: URLSearchParams,
  { submitted, isDownload }: Answered & { readonly submitted: SubmittedForm | null },
): Response {
  const to = fields.has(BACK) ? destination(fields.get(BACK)) : backOf(visit);
  const shown = confirmPage({
    shop: visit.store.name,
    name: visit.visitor.person.name,
    to,
    submitted,
    isDownload,
    action: `${visit.url.pathname}${visit.url.search}`,
    field: PASSWORD,
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
