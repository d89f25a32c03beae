// The people of the shop at the dashboard: invited, given roles, signed out, removed, and what is recorded of it.

import { describe, expect, test } from "bun:test";

import { waysToSend } from "#dashboard/kit/parts/contacts.ts";
import { listPeople } from "#shop/people/lookups.ts";

import {
  type DashboardShop,
  openDashboard,
  PASSWORD,
  sharedDashboard,
  type Visitor,
} from "./dashboard-shop.ts";

const dashboard = sharedDashboard();

const MINUTE_MS = 60_000;

/** The path of the link that an answer shows. */
function linkIn(html: string): string {
  return /<code id="link">[^<]*(\/dashboard\/door\/\w+)</.exec(html)?.[1] ?? "";
}

async function pathOf({ owner }: DashboardShop, name: string): Promise<string> {
  const { html } = await owner.get("/dashboard/people");
  const row = html.split("<li").find((one) => one.includes(`${name}<`)) ?? "";
  return /href="([^"]+)"/.exec(row)?.[1] ?? "";
}

async function isInside(visitor: Visitor): Promise<boolean> {
  return (await visitor.get("/dashboard")).status === 200;
}

describe("an invitation", () => {
  test("of a shop at an address is sent by WhatsApp", () => {
    const { text } = waysToSend("https://shop.example/dashboard/door/abc", "Ada's Mugs");

    expect(text).toContain("https://wa.me/?text=Your%20link%20to%20Ada");
    expect(text).toContain(encodeURIComponent("https://shop.example/dashboard/door/abc"));
  });

  test("of a shop on this machine alone says which setting is missing to send it", async () => {
    const made = await dashboard.owner.send("/dashboard/people/invite/make", { role: "viewer" });

    expect(made.html).not.toContain("https://wa.me/");
    expect(made.text).toContain("DUKA_PUBLIC_URL");
  });

  test("is a link that is shown once, and lets one person in with its role", async () => {
    await using dashboard = await openDashboard();
    const { owner } = dashboard;

    const made = await owner.send("/dashboard/people/invite/make", { role: "viewer" });

    const link = linkIn(made.html);
    const people = await owner.get("/dashboard/people");
    expect(made.headers.get("cache-control")).toBe("no-store");
    expect(people.text).toContain("Invitation as Viewer");
    expect(people.html).not.toContain(link);
    const guest = dashboard.stranger();
    await guest.send(link, { "/name": "Esi", "/password": PASSWORD });
    expect((await guest.get("/dashboard/me")).text).toContain("Viewer. Sees the shop");
  });

  test("is one link by a double tap, and another by another form", async () => {
    await using dashboard = await openDashboard();
    const { owner } = dashboard;
    const once = async () => (await owner.get("/dashboard/people/invite")).field("form");
    const send = (form: string) =>
      owner.send("/dashboard/people/invite/make", { role: "staff", form });
    const form = await once();

    const taps = await Promise.all([send(form), send(form)]);
    const other = await send(await once());

    const [first = "", second = ""] = taps.map(({ html }) => linkIn(html));
    expect(first).toBe(second);
    expect(linkIn(other.html)).not.toBe(first);
    const { text } = await owner.get("/dashboard/people");
    expect(text.match(/Invitation as Staff/g)).toHaveLength(2);
  });

  test("that was taken back lets no one in", async () => {
    await using dashboard = await openDashboard();
    const { owner } = dashboard;
    const made = await owner.send("/dashboard/people/invite/make", { role: "owner" });
    const people = await owner.get("/dashboard/people");

    const after = await owner.sendAndFollow("/dashboard/people/invite/withdraw", {
      link: people.field("link"),
    });

    expect(after.text).not.toContain("Invitation as");
    expect((await dashboard.stranger().get(linkIn(made.html))).status).toBe(404);
  });

  test("made where the test shop is looked at is one into the same shop", async () => {
    const made = await dashboard.owner.send("/dashboard/test/people/invite/make", {
      role: "staff",
    });

    expect((await dashboard.owner.get("/dashboard/people")).text).toContain("Invitation as Staff");
    expect((await dashboard.stranger().get(linkIn(made.html))).status).toBe(200);
  });
});

describe("a person", () => {
  test("gets another role, and signs in again with it", async () => {
    const kofi = await dashboard.join("staff", "Kofi");
    const path = await pathOf(dashboard, kofi.name);

    const after = await dashboard.owner.sendAndFollow(`${path}/role`, { role: "viewer" });

    expect(after.text).toContain("Viewer, not signed in");
    expect(await isInside(kofi)).toBe(false);
  });

  test("is signed out at one device, and at all", async () => {
    const kofi = await dashboard.join("staff", "Kofi");
    const again = dashboard.stranger();
    await again.send("/dashboard/enter", { "/name": kofi.name, "/password": PASSWORD });
    const path = await pathOf(dashboard, kofi.name);
    const page = await dashboard.owner.get(path);

    await dashboard.owner.send(`${path}/end`, { session: page.field("session") });
    const afterOne = [await isInside(kofi), await isInside(again)];
    await dashboard.owner.send(`${path}/endall`);

    expect(afterOne.filter(Boolean)).toHaveLength(1);
    expect([await isInside(kofi), await isInside(again)]).toEqual([false, false]);
  });

  test("who lost the password gets a link for a new one", async () => {
    const kofi = await dashboard.join("staff", "Kofi");

    const made = await dashboard.owner.send(`${await pathOf(dashboard, kofi.name)}/recover`);

    const guest = dashboard.stranger();
    const taken = await guest.send(linkIn(made.html), {
      "/password": "nine baskets under the mango tree",
    });
    expect(taken.location).toBe("/dashboard");
    expect(await isInside(kofi)).toBe(false);
  });

  test("is removed on a page of its own, and does not come in any more", async () => {
    await using dashboard = await openDashboard();
    const kofi = await dashboard.join("staff", "Kofi");
    const path = `${await pathOf(dashboard, "Kofi")}/remove`;
    expect((await dashboard.owner.get(path)).text).toContain("Remove Kofi?");

    const after = await dashboard.owner.sendAndFollow(`${path}/sure`);

    expect(after.text).toContain("Removed.");
    expect(after.text).not.toContain("Kofi");
    expect(await isInside(kofi)).toBe(false);
  });

  test("who is the last owner stays one, and the page says why", async () => {
    const [ama] = await listPeople(dashboard.shop.live.database.read);
    const path = `/dashboard/people/${ama?.id ?? ""}`;

    const refused = await dashboard.owner.send(`${path}/role`, { role: "staff" });

    expect(refused.status).toBe(409);
    expect(refused.text).toContain("make another person an owner first");
    expect(await isInside(dashboard.owner)).toBe(true);
  });

  test("who does not exist has no page", async () => {
    const page = await dashboard.owner.get("/dashboard/people/per_nothing");

    expect(page.status).toBe(404);
  });
});

describe("what is recorded of sign-ins", () => {
  test("is shown with names, newest first, also from the test shop", async () => {
    await using dashboard = await openDashboard();
    await dashboard.join("staff", "Kofi");
    await dashboard.owner.send(`${await pathOf(dashboard, "Kofi")}/role`, { role: "viewer" });

    const { text } = await dashboard.owner.get("/dashboard/test/people/acts");

    expect(text).toContain("Ama changed the role of Kofi");
    expect(text.indexOf("changed the role")).toBeLessThan(
      text.indexOf("chose a password with a link"),
    );
  });
});

describe("15 minutes after the password was given", () => {
  test("no form about people changes anything", async () => {
    await using dashboard = await openDashboard();
    const kofi = await dashboard.join("staff", "Kofi");
    const path = await pathOf(dashboard, "Kofi");
    dashboard.shop.clock.advance(16 * MINUTE_MS);

    const sent = [
      await dashboard.owner.send("/dashboard/people/invite/make", { role: "owner" }),
      await dashboard.owner.send("/dashboard/people/invite/withdraw", { link: "x" }),
      await dashboard.owner.send(`${path}/role`, { role: "owner" }),
      await dashboard.owner.send(`${path}/endall`),
      await dashboard.owner.send(`${path}/recover`),
      await dashboard.owner.send(`${path}/remove/sure`),
    ];

    for (const { text } of sent) expect(text).toContain("Please enter your password again");
    expect(await isInside(kofi)).toBe(true);
  });
});

describe("a person who is no owner", () => {
  test("sees names and roles, and nothing of when and where others are signed in", async () => {
    const kofi = await dashboard.join("staff", "Kofi");

    const { text } = await kofi.get("/dashboard/people");

    expect(text).toContain("Ama Owner");
    expect(text).not.toContain("seen");
    expect(text).not.toContain("Invite");
  });

  test("cannot send the owners' forms", async () => {
    const kofi = await dashboard.join("staff", "Kofi");
    const path = await pathOf(dashboard, kofi.name);

    const sent = [
      await kofi.send("/dashboard/people/invite/make", { role: "owner" }),
      await kofi.send(`${path}/role`, { role: "owner" }),
      await kofi.send(`${path}/remove/sure`),
      await kofi.get("/dashboard/people/acts"),
    ];

    expect(sent.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await kofi.get("/dashboard/me")).text).toContain("Staff.");
  });
});
