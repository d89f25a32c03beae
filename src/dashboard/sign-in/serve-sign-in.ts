// The ways in and out: sign in, leave, confirm, one-time links.

import { disown, readAlertLink } from "#alerts/not-me.ts";
import { readFields } from "#dashboard/kit/forms/submit-form.ts";
import { catchRefusal, type SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import { isOwnStep, relyingPartyOf } from "#dashboard/kit/headers.ts";
import { bareResponse, redirect } from "#dashboard/kit/respond.ts";
import { readCookie, writeCookie } from "#dashboard/kit/session-cookie.ts";
import type { DashboardTerms } from "#dashboard/kit/terms.ts";
import { en } from "#dashboard/words/en.ts";
import type { EmailsShop } from "#emails/emails-shop.ts";
import { randomBytes } from "#kernel/random.ts";
import type { RouteContext } from "#platform/http/router.ts";
import { getLink, type OpenLink, takeLink } from "#shop/people/credentials/take-link.ts";
import { hasPeople } from "#shop/people/lookups.ts";
import { enterWithPasskey } from "#shop/people/passkeys/enter-with-passkey.ts";
import { findVisitor, signOut } from "#shop/people/sessions/open-session.ts";
import { admitPerson, signIn } from "#shop/people/sessions/sign-in.ts";
import { getStore } from "#shop/store/lookups.ts";

import { alertPage, disownedPage, endedAlertPage } from "./alert-pages.ts";
import { confirmWith, destination, passkeyFieldOf } from "./confirm-form.ts";
import {
  confirmPage,
  endedLinkPage,
  linkPage,
  type SignInNames,
  signInNames,
  signInPage,
  type SignInTerms,
} from "./sign-in-pages.ts";
import { deviceOf, signedIn } from "./signed-in.ts";

// A sentence that would be a good password.

const words =
  "amber anchor apple arrow autumn bakery bamboo basket beach bell bicycle bottle branch bread bridge bright brook brush bucket butter button cabin candle canoe carpet cedar chalk cherry cinnamon circle clay clever cloud clover cocoa coconut copper coral corner cotton cradle curtain daisy desert dinner drum eagle early elder ember evening falcon feather fiddle forest fountain garden gentle ginger glass golden grape gravel harbour harvest hazel heron hidden hollow honey hungry island ivory jacket jasmine jolly kettle kitchen ladder lantern lemon letter lively lizard lucky maple marble market meadow melon mirror modest morning mountain music napkin nettle nimble noble oatmeal ocean olive orange orchard oyster painter paper parrot patient pebble pepper piano pillow planet pocket polite potato pottery proud pumpkin quiet rabbit raisin ribbon river rocket saddle saffron sailor sandal scarf shadow silent silver simple singer sister slipper sparrow spider spoon spring stable station stone summer sunny swallow table tailor teapot thunder tiger timber tomato travel turtle umbrella valley velvet village violet wagon walnut water whistle wicker willow window winter wonder yellow zebra".split(
    " ",
  );

const WORDS = 6;

/** Six words of a list of 200: 45 random bits, which slow guesses do not reach. */
export function suggestPassword(): string {
  // Two bytes each, so that the remainder favours no word noticeably.
  const bytes = new DataView(randomBytes(2 * WORDS).buffer);
  const chosen = Array.from(
    { length: WORDS },
    (_, index) => words[bytes.getUint16(2 * index) % words.length] ?? "",
  );
  return chosen.join(" ");
}

/** The root of the pages of the test shop. */
const ROOT = "/dashboard/test";

type Mount = (path: string, reply: (context: RouteContext) => Promise<Response>) => unknown;

/** Adds `/dashboard/enter`, `/dashboard/leave`, `/dashboard/confirm` and `/dashboard/door/{token}`. */
export function mountSignIn(mount: Mount, terms: DashboardTerms): void {
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
    url,
    bodies,
  } = terms;
  const { read } = live.database;
  const known = readCookie(request, url(), "session");
  const { searchParams: asked } = new URL(request.url);
  const to = destination(asked.get("to"));
  const page = async (next: string, said: Pick<SignInTerms, "submitted" | "note">) => {
    const form = {
      action: "/dashboard/enter",
      names: signInNames,
      hidden: [["to", next]],
    } as const;
    return bareResponse(
      request,
      signInPage({ ...(await shopOf(terms, request)), ...form, ...said }),
    );
  };
  if (request.method !== "POST") {
    if (known !== "" && (await findVisitor(read, known, live.clock.now())) !== null)
      return redirect(to);
    // Believed only of the dashboard's own forms: a link of another site says nothing here.
    const isUnsent = asked.has(UNSENT) && isOwnStep(request);
    return page(to, { submitted: null, note: isUnsent ? en.signIn.unsent : null });
  }
  const fields = await readFields(request, bodies);
  const next = destination(fields.get("to"));
  const outcome = await signInWith(terms, request, { fields, names: signInNames });
  if ("value" in outcome) return signedIn(terms, outcome.value, next);
  return page(next, { submitted: outcome.submitted, note: null });
}

/** Signs in with the fields of these names and answers where that leads, or the refused form. */
export function signInWith(
  terms: DashboardTerms,
  request: Request,
  { fields, names }: { readonly fields: URLSearchParams; readonly names: SignInNames },
) {
  const { people, url } = terms;
  const device = {
    ...placeOf(terms, request),
    isBrief: fields.get(names.brief) === "true",
    known: readCookie(request, url(), "known") || null,
  };
  const response = fields.get(names.passkey) ?? "";
  const party = relyingPartyOf(request, url());
  return catchRefusal({ name: "sign-in", fields }, () => {
    if (response !== "" && party !== null) {
      const challenge = readCookie(request, url(), "challenge");
      return enterWithPasskey(people, { ...device, response, party, challenge });
    }
    const name = fields.get(names.name) ?? "";
    return signIn(people, { ...device, name, password: fields.get(names.password) ?? "" });
  });
}

async function take(terms: DashboardTerms, request: Request, token: string): Promise<Response> {
  const {
    shops: { live },
    people,
    url,
    bodies,
  } = terms;
  const { name: shop } = await getStore(live.database.read);
  const found = await catchRefusal({ name: "sign-in", fields: new URLSearchParams() }, () =>
    getLink(live.database.read, token, live.clock.now()),
  );
  if ("submitted" in found) return bareResponse(request, endedLinkPage(shop));
  const page = (submitted: SubmittedForm | null) =>
    linkPageOf(request, { shop, open: found.value, submitted });
  if (request.method !== "POST") return page(null);
  const fields = await readFields(request, bodies);
  const outcome = await catchRefusal({ name: "sign-in", fields }, () =>
    takeLink(people, {
      ...placeOf(terms, request),
      token,
      name: fields.get("/name") ?? "",
      password: fields.get("/password") ?? "",
      isBrief: fields.get("brief") === "true",
      host: new URL(url()).hostname,
    }),
  );
  if ("value" in outcome) {
    const { value } = outcome;
    return value === null ? redirect("/dashboard/enter") : signedIn(terms, value, "/dashboard");
  }
  return outcome.submitted.code === "link_ended"
    ? bareResponse(request, endedLinkPage(shop))
    : page(outcome.submitted);
}

function linkPageOf(
  request: Request,
  terms: {
    readonly shop: string;
    readonly open: OpenLink;
    readonly submitted: SubmittedForm | null;
  },
): Response {
  const { pathname: path } = new URL(request.url);
  return bareResponse(request, linkPage({ ...terms, path, suggestion: suggestPassword() }));
}

async function leave(terms: DashboardTerms, request: Request): Promise<Response> {
  const {
    shops: { live },
    url,
  } = terms;
  if (request.method !== "POST") return redirect("/dashboard");
  const token = readCookie(request, url(), "session");
  const visitor = await findVisitor(live.database.read, token, live.clock.now());
  if (visitor !== null) await live.database.write((tx) => signOut(tx, visitor));
  const cookie = writeCookie(url(), "session", { value: "" });
  const response = redirect("/dashboard/enter", [cookie]);
  // The next person at this device could see what the browser kept of the shop.
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
  const fields = isSent ? await readFields(request, bodies) : new URL(request.url).searchParams;
  const to = destination(fields.get("to"));
  if (visitor === null) return redirect(`/dashboard/enter?to=${encodeURIComponent(to)}`);
  const { name: shop } = await getStore(live.database.read);
  const party = relyingPartyOf(request, url());
  const names = { password: "/password", passkey: "passkey" };
  const page = async (submitted: SubmittedForm | null) =>
    confirmPage({
      shop,
      name: visitor.person.name,
      to,
      submitted,
      action: "/dashboard/confirm",
      field: names.password,
      passkeyField: await passkeyFieldOf(people, visitor, { party, names }),
      hidden: [["to", to]],
    });
  if (!isSent) return bareResponse(request, await page(null));
  const outcome = await confirmWith({ people, visitor }, { fields, party, names });
  if ("submitted" in outcome) return bareResponse(request, await page(outcome.submitted));
  const { isBrief } = visitor.session;
  return redirect(to, [writeCookie(url(), "session", { value: outcome.value.token, isBrief })]);
}

/** The facts of the shop that the way in shows. */
export async function shopOf({ shops: { live }, url }: DashboardTerms, request: Request) {
  const { name: shop, recoveryByEmail } = await getStore(live.database.read);
  const hasPasskeys = relyingPartyOf(request, url()) !== null;
  const mailsLinks = live.mail !== null && recoveryByEmail;
  return { shop, hasPeople: await hasPeople(live.database.read), hasPasskeys, mailsLinks };
}

function placeOf({ networkOf }: DashboardTerms, request: Request) {
  return { device: deviceOf(request), network: networkOf(request) };
}

// The page of an alert. It needs no session, because it is for who may be signed in nowhere yet.

/** Adds the pages of the alerts of every mode: `/dashboard/alert/{token}`, and below `/dashboard/test`. */
export function mountAlerts(mount: Mount, terms: DashboardTerms): void {
  for (const mode of terms.modes) {
    const root = mode === "live" ? "/dashboard" : ROOT;
    mount(`${root}/alert/:token`, ({ request, params }) =>
      alertPageOf(terms, request, { shop: terms.shops[mode], token: params["token"] ?? "" }),
    );
  }
}

async function alertPageOf(
  { people, shops: { live }, networkOf }: DashboardTerms,
  request: Request,
  {
    shop,
    token,
  }: { readonly shop: Pick<EmailsShop, "database" | "clock">; readonly token: string },
): Promise<Response> {
  const { name } = await getStore(live.database.read);
  const dbs = { db: shop.database.read, people: people.database.read };
  const found = await catchRefusal({ name: "alert", fields: new URLSearchParams() }, () =>
    readAlertLink(dbs, { token, now: shop.clock.now() }),
  );
  if ("submitted" in found) return bareResponse(request, endedAlertPage(name));
  const { pathname: path } = new URL(request.url);
  if (request.method !== "POST") {
    return bareResponse(request, alertPage({ shop: name, facts: found.value, path }));
  }
  const { person } = found.value;
  await people.database.write((tx) => disown(tx, person.id, networkOf(request)));
  return bareResponse(request, disownedPage(name, person.name));
}

// The link of a sandbox: it opens the dashboard of the test shop without a password, once. It is mounted where the
// program that started the server has such a link; a shop for customers has none.

/** Adds `/dashboard/sandbox/{token}`, where the terms have an entrance. */
export function mountEntrance(mount: Mount, terms: DashboardTerms): void {
  const { entrance } = terms;
  if (entrance === undefined) return;
  mount("/dashboard/sandbox/:token", async ({ request, params }) => {
    const { people, url, networkOf } = terms;
    const { database, clock } = people;
    const known = readCookie(request, url(), "session");
    // The link is often opened twice: by the terminal, and by a person who closed the page.
    if (known !== "" && (await findVisitor(database.read, known, clock.now())) !== null) {
      return redirect(ROOT);
    }
    const personId = entrance(params["token"] ?? "");
    if (personId === null) return redirect(`/dashboard/enter?to=${encodeURIComponent(ROOT)}`);
    const place = { device: deviceOf(request), network: networkOf(request) };
    const opened = await database.write((tx) => admitPerson(tx, personId, place), {
      actor: { type: "person", id: personId },
    });
    return signedIn(terms, opened, ROOT);
  });
}
