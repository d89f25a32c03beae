// The link of a sandbox: it opens the dashboard of the test shop without a password, once. It is mounted where the
// program that started the server has such a link; a shop for customers has none.

import type { RouteContext } from "#platform/http/router.ts";
import { admitPerson } from "#shop/people/sessions/admit-person.ts";
import { findVisitor } from "#shop/people/sessions/find-visitor.ts";

import { redirect } from "../respond.ts";
import type { DashboardTerms } from "../terms.ts";
import { deviceOf } from "./device.ts";
import { readCookie } from "./session-cookie.ts";
import { signedIn } from "./signed-in.ts";

const ROOT = "/dashboard/test";

type Mount = (path: string, reply: (context: RouteContext) => Promise<Response>) => unknown;

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
