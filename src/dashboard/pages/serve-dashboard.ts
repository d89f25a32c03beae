// Serves `/dashboard`: finds who asks, and leads to the page or the form. Invariant: a page is shown and a form is
// taken only with a session, and nothing changes by GET, but that the link of a sandbox opens a session.

import { assetResponse, MANIFEST, manifestResponse } from "#dashboard/kit/assets.ts";
import type { FilesForm, Form } from "#dashboard/kit/forms/form.ts";
import {
  type Outcome,
  readFields,
  submitForm,
  takeFiles,
} from "#dashboard/kit/forms/submit-form.ts";
import { refusedBy } from "#dashboard/kit/forms/submitted-form.ts";
import { namedParams, type Page } from "#dashboard/kit/page.ts";
import { failedResponse, refusedPage, wrongHostPage } from "#dashboard/kit/refused-page.ts";
import { fileResponse, pageResponse, plainPage, redirect } from "#dashboard/kit/respond.ts";
import { readCookie, writeCookie } from "#dashboard/kit/session-cookie.ts";
import { type DashboardTerms, importRunner } from "#dashboard/kit/terms.ts";
import { rootOf, type Visit } from "#dashboard/kit/visit.ts";
import { confirmFirst, confirmForm, withoutConfirmation } from "#dashboard/sign-in/confirm-form.ts";
import { mountForgot } from "#dashboard/sign-in/serve-forgot.ts";
import { mountPasskeys } from "#dashboard/sign-in/serve-passkeys.ts";
import { mountPush } from "#dashboard/sign-in/serve-push.ts";
import {
  mountAlerts,
  mountEntrance,
  mountSignIn,
  unsentTo,
} from "#dashboard/sign-in/serve-sign-in.ts";
import { cookiesOf } from "#dashboard/sign-in/signed-in.ts";
import { hasSignedIn, signInWithForm, unsentForm } from "#dashboard/sign-in/unsent-form.ts";
import { en } from "#dashboard/words/en.ts";
import type { Mode } from "#platform/database/shop.ts";
import { isOwnForm, isOwnHost } from "#platform/html/own-form.ts";
import { type RouteContext, type Router, unlisted } from "#platform/http/router.ts";
import { mustAddPasskey } from "#shop/people/passkeys/lookups.ts";
import { findVisitor, isTouchDue, touchSession } from "#shop/people/sessions/open-session.ts";
import { isConfirmed, type RenewedSession, type Visitor } from "#shop/people/sessions/session.ts";

import { liveResponse } from "./live.ts";
import { openAsker, openVisit } from "./open-visit.ts";
import { pages } from "./pages.ts";

interface NamedForm<F extends Form = Form> {
  readonly name: string;
  readonly form: F;
}

/** A page with the form that was submitted to it; null where the page itself is asked for. */
interface Target {
  readonly mode: Mode;
  readonly page: Page;
  readonly form: NamedForm | null;
}

/** Adds the pages, their forms, their files, and the ways in and out. */
export function mountDashboard(app: Router, terms: DashboardTerms): void {
  const guarded =
    (reply: (context: RouteContext) => Promise<Response> | Response) =>
    async (context: RouteContext): Promise<Response> => {
      try {
        return refuseStrange(context.request, terms.url()) ?? (await reply(context));
      } catch (error) {
        return failedResponse(error, terms.onFault);
      }
    };
  const mount = (path: string, reply: (context: RouteContext) => Promise<Response> | Response) =>
    app.all(path, guarded(reply), unlisted);
  app.all(
    "/dashboard/assets/:name",
    ({ request }) => assetResponse(request) ?? missing(),
    unlisted,
  );
  mountSignIn(mount, terms);
  mountPasskeys(mount, terms);
  mountPush(mount, terms);
  mountForgot(mount, terms);
  mount(MANIFEST, () => manifestResponse(terms));
  mountEntrance(mount, terms);
  mountAlerts(mount, terms);
  // A sandbox has the test shop alone: the way to the other shop leads there, too.
  if (!terms.modes.includes("live")) mount(rootOf("live"), () => redirect(rootOf("test")));
  for (const mode of terms.modes) {
    const root = rootOf(mode);
    mount(`${root}/live`, ({ request }) => follow(terms, mode, request));
    for (const page of pages) {
      const path = `${root}${page.path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
      mount(path, (context) => respond(terms, { mode, page, form: null }, context));
      for (const [name, form] of Object.entries(page.forms ?? {})) {
        const target = { mode, page, form: { name, form } };
        mount(`${path}/${name}`, (context) => respond(terms, target, context));
      }
    }
  }
  mount("/dashboard/", ({ request }) => redirect(`/dashboard${new URL(request.url).search}`));
  mount("/dashboard/*", missing);
}

function missing(): Response {
  return plainPage(404, en.refused.notFound, en.refused.notFoundWhat);
}

/** Refuses what no page answers: another host's name, and a form of another site. */
function refuseStrange(request: Request, url: string): Response | null {
  if (!isOwnHost(request, url)) return wrongHostPage(request, url);
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isRead || isOwnForm(request, url)) return null;
  return plainPage(403, en.refused.strange, en.refused.strangeWhat);
}

/** Who asks; null without a session that holds. */
async function sessionOf(
  { shops: { live }, url }: DashboardTerms,
  request: Request,
): Promise<Visitor | null> {
  const token = readCookie(request, url(), "session");
  return token === "" ? null : findVisitor(live.database.read, token, live.clock.now());
}

/** The same; the session is kept from idling out, unless the disk has no room but for live orders. */
async function visitorOf(terms: DashboardTerms, request: Request): Promise<Visitor | null> {
  const { live } = terms.shops;
  const visitor = await sessionOf(terms, request);
  if (visitor !== null && isTouchDue(visitor, live.clock.now()) && terms.hasRoom()) {
    await live.database.write((tx) => touchSession(tx, visitor));
  }
  return visitor;
}

async function respond(
  terms: DashboardTerms,
  { mode, page, form }: Target,
  { request, params }: RouteContext,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const own = form === null ? pathname : pathname.slice(0, -form.name.length - 1);
  // A form that is read, or a page that is written to, is the page.
  if ((request.method === "POST") !== (form !== null)) return redirect(own);
  const visitor = await visitorOf(terms, request);
  const visitOf = (who: Visitor) =>
    openVisit(
      {
        inside: terms.inside,
        database: terms.shops[mode].database,
        people: terms.people,
        imports: importRunner(terms, mode),
        modes: terms.modes,
        dashboardUrl: terms.url(),
        request,
        visitor: who,
        params: namedParams(page, params),
        page: own,
        submitted: null,
      },
      terms.shops[mode],
    );
  if (form === null) {
    if (visitor === null) return signInFirst(request);
    const visit = await visitOf(visitor);
    return (await refusedTo(visit, page)) ?? show(visit, page);
  }
  return receive(terms, form, { request, page, own, visitor, visitOf });
}

interface Submitting {
  readonly request: Request;
  readonly page: Page;
  /** The path of the page. */
  readonly own: string;
  readonly visitor: Visitor | null;
  readonly visitOf: (who: Visitor) => Promise<Visit>;
}

/** Receives a form, once it is known who sends it where it brings files. */
async function receive(
  terms: DashboardTerms,
  { name, form }: NamedForm,
  { request, page, own, visitor, visitOf }: Submitting,
): Promise<Response> {
  if ("takeFiles" in form) {
    // A page cannot carry files over the sign-in.
    if (visitor === null) return redirect(unsentTo(own));
    return takeFilesOf(terms, { visit: await visitOf(visitor), page, form: { name, form } });
  }
  const fields = await readFields(request, terms.bodies);
  const taken = { page, form: { name, form }, fields };
  if (visitor !== null) return take(terms, { ...taken, visit: await visitOf(visitor) });
  const signedIn = await signInWithForm(terms, request, { fields, page: own });
  if (signedIn instanceof Response) return signedIn;
  // Whatever becomes of the form: the person has signed in.
  const response = await visitOf(signedIn.visitor)
    .then((visit) => take(terms, { ...taken, visit }))
    .catch((error: unknown) => failedResponse(error, terms.onFault));
  for (const cookie of cookiesOf(terms, signedIn)) response.headers.append("Set-Cookie", cookie);
  return response;
}

async function takeFilesOf(
  terms: DashboardTerms,
  { visit, page, form }: Omit<Taken, "form" | "fields"> & { readonly form: NamedForm<FilesForm> },
): Promise<Response> {
  const refused = await refusedTo(visit, page);
  if (refused !== null) return refused;
  const outcome = await takeFiles(visit, visit.request, { ...form, uploads: terms.uploads });
  return told(terms, { visit, page, outcome });
}

function mayTake(visit: Visit, form: Form | null): boolean {
  if (form === null || !("download" in form)) return true;
  return form.scope === undefined || visit.may(form.scope);
}

function maySee(visit: Visit, { scopes, isOwners = false }: Page): boolean {
  const isAllowed = !isOwners || visit.visitor.person.role === "owner";
  return isAllowed && scopes.some((scope) => visit.may(scope));
}

/**
 * The refusal of a page that the shop does not have, or of what the person may not see or take, and the way of a person
 * who has to add a passkey first; null for any other.
 */
async function refusedTo(
  visit: Visit,
  page: Page,
  form: Form | null = null,
): Promise<Response | null> {
  const isForAll = page.isForNewPasskey === true;
  if (!isForAll && (await mustAddPasskey(visit.people.database.read, visit.visitor))) {
    return redirect(visit.href("/me/passkeys/add"));
  }
  const isMissing = page.isTestOnly === true && visit.mode === "live";
  if (!isMissing && maySee(visit, page) && mayTake(visit, form)) return null;
  const status = isMissing ? 404 : 403;
  return pageResponse(visit, refusedPage(visit, { status, problem: {} }));
}

interface Taken {
  readonly visit: Visit;
  readonly page: Page;
  readonly form: NamedForm<Exclude<Form, FilesForm>>;
  readonly fields: URLSearchParams;
}

/** Takes a form that was submitted, once the password was given again where it needs it. */
async function take(terms: DashboardTerms, taken: Taken): Promise<Response> {
  const { visit, page, form, fields } = taken;
  const refused = await refusedTo(visit, page, form.form);
  if (refused !== null) return refused;
  if (hasSignedIn(fields)) {
    return show(visit.with({ submitted: unsentForm(form.name, fields) }), page);
  }
  const { needsConfirmation: needs = false } = form.form;
  const own = withoutConfirmation(fields);
  const isNeeded = typeof needs === "function" ? await needs(visit, own) : needs;
  if (!isNeeded || !mustConfirm(visit)) return answer(terms, { ...taken, fields: own });
  const confirmed = await confirmForm(visit, fields, { isDownload: "download" in form.form });
  if (confirmed instanceof Response) return confirmed;
  const renewed = { ...taken, fields: own, visit: visit.with({ visitor: confirmed.visitor }) };
  // Whatever becomes of the form: the session goes on under another token.
  const response = await answer(terms, renewed).catch((error: unknown) =>
    failedResponse(error, terms.onFault),
  );
  response.headers.append("Set-Cookie", cookieOf(terms.url(), confirmed));
  return response;
}

/** Does what a form says. */
async function answer(terms: DashboardTerms, { visit, page, form, fields }: Taken) {
  return told(terms, { visit, page, outcome: await submitForm(visit, { ...form, fields }) });
}

/** A redirect, a page in place of the form's, or its own page again with what was refused. */
function told(
  { url, onFault }: DashboardTerms,
  { visit, page, outcome }: Pick<Taken, "visit" | "page"> & { readonly outcome: Outcome },
): Promise<Response> | Response {
  switch (outcome.kind) {
    case "redirect": {
      const { to, renewed } = outcome;
      return redirect(to, renewed === undefined ? [] : [cookieOf(url(), renewed)]);
    }
    case "page":
      return pageResponse(visit, outcome.page);
    case "download":
      return fileResponse(outcome.file, onFault);
    case "redisplay":
      return show(visit.with({ submitted: outcome.submitted }), page);
  }
}

function cookieOf(dashboardUrl: string, { token, visitor }: RenewedSession): string {
  const { isBrief } = visitor.session;
  return writeCookie(dashboardUrl, "session", { value: token, isBrief });
}

/** The page; what the interface or a story refuses of it is said in its place. */
async function show(visit: Visit, page: Page): Promise<Response> {
  if (page.confirmsFirst === true && mustConfirm(visit)) return confirmFirst(visit);
  try {
    const shown = await page.show(visit);
    if ("redirectTo" in shown) return redirect(visit.href(shown.redirectTo));
    return pageResponse(visit, { status: visit.submitted?.status ?? 200, ...shown });
  } catch (error) {
    return pageResponse(visit, refusedPage(visit, refusedBy(error)));
  }
}

async function follow(terms: DashboardTerms, mode: Mode, request: Request): Promise<Response> {
  // A page that is open is no act of the person: its stream does not keep the session.
  const visitor = await sessionOf(terms, request);
  const { read } = terms.people.database;
  if (visitor === null || (await mustAddPasskey(read, visitor))) {
    return new Response(null, { status: 401 });
  }
  const { id: personId, role } = visitor.person;
  return liveResponse(openAsker({ inside: terms.inside, request, visitor }, mode), {
    personId,
    shop: terms.shops[mode],
    holds: async () => (await sessionOf(terms, request))?.person.role === role,
    onFault: terms.onFault,
  });
}

function mustConfirm({ visitor, people }: Visit): boolean {
  return !isConfirmed(visitor.session, people.clock.now());
}

/** The way in, which leads back to what was asked for. */
function signInFirst(request: Request): Response {
  const { pathname, search } = new URL(request.url);
  return redirect(`/dashboard/enter?to=${encodeURIComponent(`${pathname}${search}`)}`);
}
