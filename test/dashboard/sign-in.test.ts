// The way in: links, passwords, sessions, and who is not let in.

import { describe, expect, test } from "bun:test";

import { makeLink } from "#shop/people/credentials/make-link.ts";

import { openTestShop } from "../support/shop.ts";
import { openDashboard, PASSWORD, sharedDashboard, Visitor } from "./dashboard-shop.ts";

const dashboard = sharedDashboard();

const DAY_MS = 86_400_000;

test("the link of a sandbox opens no other shop", async () => {
  await using shop = await openTestShop();

  const answer = await fetch(`${shop.url}/dashboard/sandbox/anything`, { redirect: "manual" });

  expect([answer.status, answer.headers.getSetCookie()]).toEqual([404, []]);
});

describe("a person who signs in", () => {
  test("is led to the page that was asked for", async () => {
    const visitor = dashboard.stranger();
    const first = await visitor.get("/dashboard/test?x=1");
    expect([first.status, first.location]).toEqual([
      303,
      "/dashboard/enter?to=%2Fdashboard%2Ftest%3Fx%3D1",
    ]);

    const page = await visitor.get(first.location);
    const entered = await visitor.send("/dashboard/enter", {
      to: page.field("to"),
      "/name": "ama",
      "/password": PASSWORD,
    });

    expect([entered.status, entered.location]).toEqual([303, "/dashboard/test?x=1"]);
    expect((await visitor.get(entered.location)).status).toBe(200);
  });

  test("with a wrong password is told so without its being kept, and stays outside", async () => {
    const visitor = dashboard.stranger();

    const refused = await visitor.send("/dashboard/enter", {
      "/name": "Ama",
      "/password": "wrong",
    });

    expect(refused.status).toBe(401);
    expect(refused.html).not.toMatch(/name="brief"[^>]*checked/);
    expect(refused.field("/name")).toBe("Ama");
    expect(refused.field("/password")).toBe("");
    expect((await visitor.get("/dashboard")).status).toBe(303);
  });

  test("with a wrong password at a device of others finds that still ticked", async () => {
    const wrong = { "/name": "Ama", "/password": "wrong", brief: "true" };

    const refused = await dashboard.stranger().send("/dashboard/enter", wrong);

    expect(refused.status).toBe(401);
    expect(refused.html).toMatch(/name="brief"[^>]*checked/);
  });

  test.each([
    "https://evil.example/",
    "//evil.example",
    "/v2/orders",
    "/dashboard\\@evil",
    "/dashboardx",
    "/dashboard/../o/x",
    "/dashboard/%2e%2E/o/x",
    "/dashboard/\n",
    "/dashboard/ñ",
  ])("is led to the first page instead of %s", async (to) => {
    const entered = await dashboard
      .stranger()
      .send("/dashboard/enter", { to, "/name": "Ama", "/password": PASSWORD });

    expect(entered.location).toBe("/dashboard");
  });

  test.each([
    ["/dashboard/test/orders?done=refunded", "/dashboard/test/orders"],
    ["/dashboard/test/orders?q=Ama&done=refunded", "/dashboard/test/orders?q=Ama"],
    ["/dashboard?%64one=refunded", "/dashboard"],
  ])("is not told by the link %s that something was done", async (to, location) => {
    const entered = await dashboard
      .stranger()
      .send("/dashboard/enter", { to, "/name": "Ama", "/password": PASSWORD });

    expect(entered.location).toBe(location);
  });

  test("and leaves has no session any more, with the same cookie", async () => {
    const kofi = await dashboard.join("owner", "Kofi");
    const cookie = [...kofi.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const left = await kofi.send("/dashboard/leave");

    const again = await dashboard.stranger().get("/dashboard", { Cookie: cookie });

    expect(left.headers.get("clear-site-data")).toBe('"cache", "storage"');
    expect(again.status).toBe(303);
  });

  test("is asked again after a week without a visit", async () => {
    await using dashboard = await openDashboard();
    const { owner, shop } = dashboard;
    shop.clock.advance(6 * DAY_MS);
    expect((await owner.get("/dashboard")).status).toBe(200);
    shop.clock.advance(6 * DAY_MS);
    expect((await owner.get("/dashboard")).status).toBe(200);

    shop.clock.advance(8 * DAY_MS);

    expect((await owner.get("/dashboard")).status).toBe(303);
  });
});

describe("a one-time link", () => {
  test("is shown without being used up, and used by its form once", async () => {
    await using shop = await openTestShop();
    const token = await shop.live.database.write((tx) =>
      makeLink(tx, { kind: "first_owner", by: null }),
    );
    const path = `/dashboard/door/${token}`;
    const [first, second] = [new Visitor(shop), new Visitor(shop)];
    const opened = [await first.get(path), await first.get(path)];
    const fields = { "/name": "Ama", "/password": PASSWORD };

    const taken = await first.send(path, fields);
    const late = await second.send(path, { ...fields, "/name": "Mallory" });

    expect(opened.map(({ status }) => status)).toEqual([200, 200]);
    expect(taken.location).toBe("/dashboard");
    expect([late.status, (await second.get("/dashboard")).status]).toEqual([404, 303]);
  });

  test("says at the field what is wrong with the password, keeps the name, and stays valid", async () => {
    await using shop = await openTestShop();
    const token = await shop.live.database.write((tx) =>
      makeLink(tx, { kind: "first_owner", by: null }),
    );
    const path = `/dashboard/door/${token}`;
    const visitor = new Visitor(shop);

    const refused = await visitor.send(path, { "/name": "Ama", "/password": "short" });

    expect(refused.status).toBe(422);
    expect(refused.html).toContain('aria-describedby="f-password-fault"');
    expect(refused.field("/name")).toBe("Ama");
    expect((await visitor.send(path, { "/name": "Ama", "/password": PASSWORD })).status).toBe(303);
  });

  test("that is unknown says what to do", async () => {
    const page = await dashboard.stranger().get("/dashboard/door/nothing");

    expect([page.status, page.text]).toEqual([404, expect.stringContaining("duka people link")]);
  });
});

test("a shop without people says how the first one gets in", async () => {
  await using shop = await openTestShop();

  const page = await new Visitor(shop).get("/dashboard/enter");

  expect(page.text).toContain(
    "This shop has no people yet. Open the link that Duka printed when it started",
  );
});

describe("a request for the dashboard", () => {
  test.each([
    [{ "Sec-Fetch-Site": "cross-site" }],
    [{ "Sec-Fetch-Site": "same-site" }],
    [{ Origin: "null" }],
    [{ Origin: "https://evil.example" }],
    [{}],
  ])("that another site sent with %j changes nothing", async (headers) => {
    const refused = await dashboard.owner.send("/dashboard/leave", {}, headers);

    expect(refused.status).toBe(403);
    expect((await dashboard.owner.get("/dashboard")).status).toBe(200);
  });

  test("under another name than the dashboard's is refused", async () => {
    const page = await dashboard.owner.get("/dashboard", { Host: "evil.example" });

    expect(page.status).toBe(421);
  });

  test("by a proxy that changes the host is refused, and says how it keeps it", async () => {
    await using shop = await openTestShop({
      settings: { DUKA_PUBLIC_URL: "https://shop.example" },
    });

    const page = await new Visitor(shop).get("/dashboard", { Host: "127.0.0.1:4000" });

    expect(page.status).toBe(421);
    expect(page.text).toContain(
      "This request came with Host 127.0.0.1:4000; the dashboard is at shop.example.",
    );
    expect(page.text).toContain("proxy_set_header Host $http_host;");
  });

  test("is answered with headers that let nothing of another site in", async () => {
    const { headers } = await dashboard.owner.get("/dashboard");

    expect(headers.get("content-security-policy")).toContain(
      "default-src 'none'; script-src 'self'",
    );
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBe("private, no-cache");
  });

  test("costs no body where the page is still as it was", async () => {
    const first = await dashboard.owner.get("/dashboard");

    const second = await dashboard.owner.get("/dashboard", {
      "If-None-Match": first.headers.get("etag") ?? "",
    });

    expect([second.status, second.html]).toEqual([304, ""]);
  });

  test("for what is not there says so", async () => {
    expect((await dashboard.owner.get("/dashboard/nothing")).status).toBe(404);
  });
});

test("the session is no key: the interface does not look at it", async () => {
  const answer = await dashboard.owner.get("/v2/orders");

  expect(answer.status).toBe(401);
});
