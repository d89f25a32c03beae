// A form that came after the session had ended: what was typed is kept while its person signs in, and nothing is done.

import { describe, expect, test } from "bun:test";

import {
  type DashboardShop,
  openDashboard,
  PASSWORD,
  type SeenPage,
  type Visitor,
} from "./dashboard-shop.ts";

const NEW = "/dashboard/test/products/new";
const MAT = { form: "0f", "/name": 'A "door" mat', "/price": "12.50" };

/** Signs in at the page that came in answer to a form, as a browser does. */
function enter(visitor: Visitor, page: SeenPage, given: Record<string, string>) {
  const hidden = [...page.html.matchAll(/<input type="hidden" name="([^"]*)"/g)].map(
    ([, name = ""]): [string, string] => [name, page.field(name)],
  );
  const action = /<form[^>]*action="([^"]*)"/.exec(page.html)?.[1] ?? "";
  return visitor.send(action, [...hidden, ...Object.entries(given)]);
}

const ama = { "sign-in-name": "Ama", "sign-in-password": PASSWORD };
const productsOf = async ({ shop }: DashboardShop) =>
  (await shop.get("/v2/products")).list("/data").length;

describe("a form that came after the session had ended", () => {
  test("is shown again with what was typed to the person who signs in, and is then sent", async () => {
    await using dashboard = await openDashboard();
    const visitor = dashboard.stranger();
    const asked = await visitor.send(`${NEW}/make`, MAT);

    const again = await enter(visitor, asked, ama);

    expect([asked.status, asked.text]).toEqual([
      401,
      expect.stringContaining("You were signed out"),
    ]);
    expect(again.text).toContain("Nothing was saved yet, because you were signed out.");
    expect([again.field("/name"), again.field("/price")]).toEqual([MAT["/name"], "12.50"]);
    expect(await productsOf(dashboard)).toBe(0);
    expect((await visitor.send(`${NEW}/make`, MAT)).status).toBe(303);
    expect(await productsOf(dashboard)).toBe(1);
  });

  test("is kept where the password was wrong, which is not", async () => {
    await using dashboard = await openDashboard();
    const visitor = dashboard.stranger();
    const asked = await visitor.send(`${NEW}/make`, MAT);

    const refused = await enter(visitor, asked, { ...ama, "sign-in-password": "of a thief" });

    expect([refused.status, refused.text]).toEqual([401, expect.stringContaining("is wrong")]);
    expect(refused.html).not.toContain("thief");
    expect(refused.field("sign-in-name")).toBe("Ama");
    expect((await enter(visitor, refused, ama)).field("/name")).toBe(MAT["/name"]);
  });

  test("is not done by a reload of the page that shows it again", async () => {
    await using dashboard = await openDashboard();
    const visitor = dashboard.stranger();
    const asked = await visitor.send(`${NEW}/make`, MAT);
    await enter(visitor, asked, ama);

    const reloaded = await enter(visitor, asked, ama);

    expect(reloaded.field("/name")).toBe(MAT["/name"]);
    expect(await productsOf(dashboard)).toBe(0);
  });

  test("is not shown to a person who may not see its page", async () => {
    await using dashboard = await openDashboard();
    await dashboard.join("viewer", "Kofi");
    const visitor = dashboard.stranger();
    const asked = await visitor.send(`${NEW}/make`, MAT);

    const refused = await enter(visitor, asked, { ...ama, "sign-in-name": "Kofi" });

    expect([refused.status, refused.html.includes("mat")]).toEqual([403, false]);
    expect((await visitor.get("/dashboard/test")).status).toBe(200);
  });

  test("of a new password leads to the door without it", async () => {
    await using dashboard = await openDashboard();
    const visitor = dashboard.stranger();
    const path = "/dashboard/me/password";

    const asked = await visitor.send(`${path}/change`, { "/password": "a sentence of my own" });
    const door = await visitor.get(asked.location, { "Sec-Fetch-Site": "same-origin" });
    const byLink = await visitor.get(asked.location, { "Sec-Fetch-Site": "cross-site" });

    expect([asked.status, door.field("to")]).toEqual([303, path]);
    expect(door.text).toContain("You were signed out, so nothing was saved.");
    expect(byLink.text).not.toContain("nothing was saved");
  });
});

test("the password that was to be given again is not kept in a form whose session has ended", async () => {
  await using dashboard = await openDashboard();

  const asked = await dashboard
    .stranger()
    .send("/dashboard/test/keys/new/make", { "/name": "Till", "confirm-password": PASSWORD });

  expect(asked.field("/name")).toBe("Till");
  expect(asked.html).not.toContain(PASSWORD);
});
