// The ways in and out: sign in, leave, confirm, one-time links.

import type { RouteContext } from "#platform/http/router.ts";
import { getLink, type OpenLink } from "#shop/people/credentials/get-link.ts";
import { takeLink } from "#shop/people/credentials/take-link.ts";
import { hasPeople } from "#shop/people/lookups.ts";
import { confirmPerson } from "#shop/people/sessions/confirm-person.ts";
import { findVisitor } from "#shop/people/sessions/find-visitor.ts";
import { signIn } from "#shop/people/sessions/sign-in.ts";
import { signOut } from "#shop/people/sessions/sign-out.ts";
import { getStore } from "#shop/store/get-store.ts";

import { attempt } from "../forms/attempt.ts";
import { readFields } from "../forms/read-fields.ts";
import type { Sent } from "../forms/sent.ts";
import { isOwnStep } from "../headers.ts";
import { doorResponse, leadTo } from "../respond.ts";
import type { DashboardTerms } from "../terms.ts";
import { destination } from "./destination.ts";
import { deviceOf } from "./device.ts";
import { confirmPage, endedLinkPage, enterPage, linkPage } from "./enter-page.ts";
import { readCookie, writeCookie } from "./session-cookie.ts";
import { signedIn } from "./signed-in.ts";
import { suggestPassword } from "./suggest-password.ts";

type Mount = (path: string, reply: (context: RouteContext) => Promise<Response>) => unknown;

/** Adds `/dashboard/enter`, `/dashboard/leave`, `/dashboard/confirm` and `/dashboard/door/{token}`. */
export function mountDoor(mount: Mount, terms: DashboardTerms): void {
  mount("/dashboard/enter", ({ request }) => enter(terms, request));
  mount("/dashboard/leave", ({ request }) => leave(terms, request));
  mount("/dashboard/confirm", ({ request }) => confirm(terms, request));
  mount("/dashboard/door/:token", ({ request, params }) => {
    return take(terms, request, params["token"] ?? "");
  });
}

const UNSENT = "unsent";

/** The way in for a form that came without a session: it says that the form did nothing. */
export function unsentTo(page: string): string {
  return `/dashboard/enter?to=${encodeURIComponent(page)}&${UNSENT}=1`;
}

async function enter(terms: DashboardTerms, request: Request): Promise<Response> {
  const {
    shops: { live },
    people,
    url,
    bodies,
  } = terms;
  const { read } = live.database;
  const known = readCookie(request, url(), "session");
  const { searchParams: asked } = new URL(request.url);
  const to = destination(asked.get("to"));
  if (request.method !== "POST") {
    if (known !== "" && (await findVisitor(read, known, live.clock.now())) !== null)
      return leadTo(to);
    // Believed only of the dashboard's own forms: a link of another site says nothing here.
    const isUnsent = asked.has(UNSENT) && isOwnStep(request);
    const page = enterPage({ ...(await shopOf(terms)), to, sent: null, isUnsent });
    return doorResponse(request, page);
  }
  const form = await readFields(request, bodies);
  const next = destination(form.get("to"));
  const outcome = await attempt({ name: "door", fields: form }, () =>
    signIn(people, {
      ...placeOf(terms, request),
      name: form.get("/name") ?? "",
      password: form.get("/password") ?? "",
      isBrief: form.get("brief") === "true",
      known: readCookie(request, url(), "known") || null,
    }),
  );
  if ("value" in outcome) return signedIn(terms, outcome.value, next);
  return doorResponse(
    request,
    enterPage({ ...(await shopOf(terms)), to: next, sent: outcome.sent }),
  );
}

async function take(terms: DashboardTerms, request: Request, token: string): Promise<Response> {
  const {
    shops: { live },
    people,
    url,
    bodies,
  } = terms;
  const { name: shop } = await getStore(live.database.read);
  const found = await attempt({ name: "door", fields: new URLSearchParams() }, () =>
    getLink(live.database.read, token, live.clock.now()),
  );
  if ("sent" in found) return doorResponse(request, endedLinkPage(shop));
  const page = (sent: Sent | null) => linkPageOf(request, { shop, open: found.value, sent });
  if (request.method !== "POST") return page(null);
  const form = await readFields(request, bodies);
  const outcome = await attempt({ name: "door", fields: form }, () =>
    takeLink(people, {
      ...placeOf(terms, request),
      token,
      name: form.get("/name") ?? "",
      password: form.get("/password") ?? "",
      isBrief: form.get("brief") === "true",
      host: new URL(url()).hostname,
    }),
  );
  if ("value" in outcome) return signedIn(terms, outcome.value, "/dashboard");
  return outcome.sent.code === "link_ended"
    ? doorResponse(request, endedLinkPage(shop))
    : page(outcome.sent);
}

function linkPageOf(
  request: Request,
  terms: { readonly shop: string; readonly open: OpenLink; readonly sent: Sent | null },
): Response {
  const { pathname: path } = new URL(request.url);
  return doorResponse(request, linkPage({ ...terms, path, suggestion: suggestPassword() }));
}

async function leave(terms: DashboardTerms, request: Request): Promise<Response> {
  const {
    shops: { live },
    url,
  } = terms;
  if (request.method !== "POST") return leadTo("/dashboard");
  const token = readCookie(request, url(), "session");
  const visitor = await findVisitor(live.database.read, token, live.clock.now());
  if (visitor !== null) await live.database.write((tx) => signOut(tx, visitor));
  const cookie = writeCookie(url(), "session", { value: "" });
  const response = leadTo("/dashboard/enter", [cookie]);
  // What the browser kept of the shop is for the next person at this device to see.
  response.headers.set("Clear-Site-Data", '"cache", "storage"');
  return response;
}

async function confirm(terms: DashboardTerms, request: Request): Promise<Response> {
  const {
    shops: { live },
    people,
    url,
    bodies,
  } = terms;
  const token = readCookie(request, url(), "session");
  const visitor = await findVisitor(live.database.read, token, live.clock.now());
  const isSent = request.method === "POST";
  const form = isSent ? await readFields(request, bodies) : new URL(request.url).searchParams;
  const to = destination(form.get("to"));
  if (visitor === null) return leadTo(`/dashboard/enter?to=${encodeURIComponent(to)}`);
  const { name: shop } = await getStore(live.database.read);
  const page = (sent: Sent | null) =>
    confirmPage({
      shop,
      name: visitor.person.name,
      to,
      sent,
      action: "/dashboard/confirm",
      field: "/password",
      hidden: [["to", to]],
    });
  if (!isSent) return doorResponse(request, page(null));
  const password = form.get("/password") ?? "";
  const outcome = await attempt({ name: "door", fields: form }, () =>
    confirmPerson(people, visitor, password),
  );
  if ("sent" in outcome) return doorResponse(request, page(outcome.sent));
  const { isBrief } = visitor.session;
  return leadTo(to, [writeCookie(url(), "session", { value: outcome.value.token, isBrief })]);
}

async function shopOf({ shops: { live } }: DashboardTerms) {
  const { name: shop } = await getStore(live.database.read);
  return { shop, hasPeople: await hasPeople(live.database.read) };
}

function placeOf({ networkOf }: DashboardTerms, request: Request) {
  return { device: deviceOf(request), network: networkOf(request) };
}
