// A person's own sign-in at the dashboard: the password, and the sessions.

import { describe, expect, test } from "bun:test";

import { openDashboard, PASSWORD, sharedDashboard } from "./dashboard-shop.ts";

const dashboard = sharedDashboard();

const MINUTE_MS = 60_000;
const ANOTHER = "nine baskets under the mango tree";

describe("a person who changes the password", () => {
  test("stays signed in here under a new token, and is signed out elsewhere", async () => {
    const { owner } = dashboard;
    const other = dashboard.stranger();
    await other.send("/dashboard/enter", { "/name": "Ama", "/password": PASSWORD });
    const before = new Map(owner.cookies);

    const after = await owner.sendAndFollow("/dashboard/me/password/change", {
      "/password": ANOTHER,
    });

    expect([after.status, after.text]).toEqual([200, expect.stringContaining("Changed.")]);
    expect([...owner.cookies]).not.toEqual([...before]);
    expect((await other.get("/dashboard")).status).toBe(303);
    const cookie = [...before].map(([name, value]) => `${name}=${value}`).join("; ");
    const old = await dashboard.stranger().get("/dashboard", { Cookie: cookie });
    expect(old.status).toBe(303);
  });

  test("signs in with the new one alone", async () => {
    await dashboard.owner.send("/dashboard/me/password/change", { "/password": ANOTHER });
    const visitor = dashboard.stranger();

    const old = await visitor.send("/dashboard/enter", { "/name": "Ama", "/password": PASSWORD });
    const entered = await visitor.send("/dashboard/enter", {
      "/name": "Ama",
      "/password": ANOTHER,
    });

    expect([old.status, entered.status]).toEqual([401, 303]);
  });

  test("reads at the field what is wrong with it", async () => {
    const refused = await dashboard.owner.send("/dashboard/me/password/change", {
      "/password": "short",
    });

    expect(refused.status).toBe(422);
    expect(refused.html).toContain('aria-describedby="f-password-fault"');
    expect(refused.field("/password")).toBe("");
  });

  test("is asked for the old one after 15 minutes", async () => {
    await using dashboard = await openDashboard();
    const { owner, shop } = dashboard;
    shop.clock.advance(16 * MINUTE_MS);

    const page = await owner.get("/dashboard/me/password");
    const sent = await owner.send("/dashboard/me/password/change", { "/password": ANOTHER });

    const asked = "/dashboard/confirm?to=%2Fdashboard%2Fme%2Fpassword";
    expect([page.location, sent.location]).toEqual([asked, asked]);
  });
});

describe("the sessions of a person", () => {
  test("end one by one, and never the one that asks", async () => {
    const { owner } = dashboard;
    const other = dashboard.stranger();
    await other.send("/dashboard/enter", { "/name": "Ama", "/password": PASSWORD });
    const page = await owner.get("/dashboard/me");
    expect(page.text).toContain("this device");

    const after = await owner.sendAndFollow("/dashboard/me/end", {
      session: page.field("session"),
    });

    expect(after.text).toContain("Signed out.");
    expect((await other.get("/dashboard")).status).toBe(303);
  });

  test("end everywhere else at once", async () => {
    const { owner } = dashboard;
    const others = [dashboard.stranger(), dashboard.stranger()];
    for (const other of others) {
      await other.send("/dashboard/enter", { "/name": "Ama", "/password": PASSWORD });
    }

    await owner.send("/dashboard/me/others");

    expect((await owner.get("/dashboard")).status).toBe(200);
    expect(
      (await Promise.all(others.map((one) => one.get("/dashboard")))).map((one) => one.status),
    ).toEqual([303, 303]);
  });

  test("of another person stay as they are", async () => {
    await using dashboard = await openDashboard();
    const kofi = await dashboard.join("staff", "Kofi");
    await dashboard.stranger().send("/dashboard/enter", { "/name": "Ama", "/password": PASSWORD });
    const session = (await dashboard.owner.get("/dashboard/me")).field("session");

    const refused = await kofi.send("/dashboard/me/end", { session });

    expect(refused.status).toBe(404);
    expect((await dashboard.owner.get("/dashboard/me")).field("session")).toBe(session);
  });
});
