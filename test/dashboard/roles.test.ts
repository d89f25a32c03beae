// Who sees which page: each page for each role, in both shops.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { pages } from "#dashboard/pages/pages.ts";
import { roles, scopesOf } from "#shop/people/roles.ts";

import { type DashboardShop, openDashboard, type Visitor } from "./dashboard-shop.ts";

let dashboard: DashboardShop;
let people: Readonly<Record<(typeof roles)[number], Visitor>>;

beforeAll(async () => {
  dashboard = await openDashboard();
  people = {
    owner: dashboard.owner,
    staff: await dashboard.join("staff", "Kofi"),
    viewer: await dashboard.join("viewer", "Esi"),
  };
});

afterAll(() => dashboard[Symbol.asyncDispose]());

/** Pages about one thing need that thing; those of the nouns try them. */
const whole = pages.filter(({ path }) => !path.includes("{"));

describe.each(["/dashboard", "/dashboard/test"])("below %s", (root) => {
  test.each(whole.map((page) => [page.path, page] as const))(
    "the page %p is shown to the roles that may see it",
    async (path, page) => {
      for (const role of roles) {
        const isOpen =
          (page.isOwners !== true || role === "owner") &&
          page.scopes.some((scope) => scopesOf(role).has(scope));

        const { status, text } = await people[role].get(`${root}${path}`);

        const isGone = page.isTestOnly === true && root === "/dashboard";
        expect([role, status]).toEqual([role, isGone ? 404 : isOpen ? 200 : 403]);
        if (!isOpen && !isGone) expect(text).toContain("Your role does not allow this");
      }
    },
  );

  test.each(whole.map(({ path }) => [path] as const))(
    "the page %p is shown to nobody without a session",
    async (path) => {
      const { status, location } = await dashboard.stranger().get(`${root}${path}`);

      expect([status, location]).toEqual([
        303,
        `/dashboard/enter?to=${encodeURIComponent(`${root}${path}`)}`,
      ]);
    },
  );
});

test.each(["staff", "viewer"] as const)(
  "%s see neither keys nor webhooks nor who signed in",
  async (role) => {
    const paths = ["/keys", "/webhooks", "/people/acts"].map((path) => `/dashboard${path}`);

    const statuses = await Promise.all(
      paths.map(async (path) => (await people[role].get(path)).status),
    );

    expect(statuses).toEqual([403, 403, 403]);
    expect([...scopesOf(role)]).not.toContain("webhooks:read");
  },
);

const forms = pages.flatMap(({ path, forms: named = {} }) =>
  Object.entries(named).map(([name, form]) => ({
    path: `${path.replaceAll(/\{\w+\}/g, "x")}/${name}`,
    bringsFiles: "takeFiles" in form,
  })),
);
const paths = forms.map(({ path }) => path);
const carried = forms.filter(({ bringsFiles }) => !bringsFiles).map(({ path }) => path);
const notCarried = forms.filter(({ bringsFiles }) => bringsFiles).map(({ path }) => path);

describe("a form", () => {
  test.each(carried)("sent to %s without a session is done for no one", async (path) => {
    const page = await dashboard.stranger().send(`/dashboard${path}`);

    expect([page.status, page.text]).toEqual([401, expect.stringContaining("nothing was saved")]);
  });

  test.each(notCarried)(
    "with files sent to %s without a session is done for no one",
    async (path) => {
      const followed = await dashboard.stranger().sendAndFollow(`/dashboard${path}`);

      expect(followed.text).toContain("nothing was saved");
    },
  );

  test.each(paths)("sent to %s by another site is refused", async (path) => {
    for (const headers of [{ "Sec-Fetch-Site": "cross-site" }, { Origin: "null" }, {}]) {
      const { status } = await dashboard.owner.send(`/dashboard${path}`, {}, headers);

      expect(status).toBe(403);
    }
  });
});
