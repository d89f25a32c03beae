// A form that needs the password again: what was typed is kept while it is asked for.

import { describe, expect, test } from "bun:test";

import { openDashboard, PASSWORD, type SeenPage, type Visitor } from "./dashboard-shop.ts";

const LATER_MS = 16 * 60_000;
const NEW_KEY = "/dashboard/test/keys/new";
const KEY = { form: "0f", "/name": 'The "blue" till', "/kind": "secret", "/scopes/0": "full" };

/** A shop whose owner gave the password a while ago. */
async function openLater() {
  const dashboard = await openDashboard();
  dashboard.shop.clock.advance(LATER_MS);
  return dashboard;
}

/** The fields of the page's form, as the browser of a person who types the password sends them. */
function filled(page: SeenPage, password: string): [string, string][] {
  const names = [...page.html.matchAll(/<input type="hidden" name="([^"]*)"/g)];
  const hidden = names.map(([, name = ""]): [string, string] => [name, page.field(name)]);
  return [...hidden, ["confirm-password", password]];
}

function send(visitor: Visitor, page: SeenPage, password = PASSWORD): Promise<SeenPage> {
  const action = /<form[^>]*action="([^"]*)"/.exec(page.html)?.[1] ?? "";
  return visitor.send(action, filled(page, password));
}

describe("a form for which the password is asked again", () => {
  test("is done with what was typed, once the password is right", async () => {
    await using dashboard = await openLater();
    const asked = await dashboard.owner.send(`${NEW_KEY}/make`, KEY);

    const made = await send(dashboard.owner, asked);

    expect(asked.text).toContain("Please enter your password again");
    expect([made.status, made.text]).toEqual([200, expect.stringContaining('The "blue" till')]);
    expect((await dashboard.owner.get(NEW_KEY)).status).toBe(200);
  });

  test("is done neither without it nor with a wrong one, and stays as it was typed", async () => {
    await using dashboard = await openLater();
    const { owner, shop } = dashboard;
    const keys = async () => (await shop.get("/v2/keys")).list("/data").length;
    const before = await keys();
    const asked = await owner.send(`${NEW_KEY}/make`, KEY);

    const refused = await send(owner, asked, "the wrong password of a thief");

    expect(refused.status).toBe(401);
    expect(refused.text).toContain("The name or the password is wrong.");
    expect(refused.html).not.toContain("thief");
    expect(await keys()).toBe(before);
    expect((await send(owner, refused)).text).toContain('The "blue" till');
    expect(await keys()).toBe(before + 1);
  });

  test("shows what is wrong with it at its fields, and the session goes on", async () => {
    await using dashboard = await openLater();
    const asked = await dashboard.owner.send(`${NEW_KEY}/make`, { ...KEY, "/scopes/0": "" });

    const refused = await send(dashboard.owner, asked);

    expect(refused.status).toBe(422);
    expect(refused.field("/name")).toBe('The "blue" till');
    expect((await dashboard.owner.get("/dashboard")).status).toBe(200);
  });

  test("is never carried with a password that was typed into it", async () => {
    await using dashboard = await openLater();

    const asked = await dashboard.owner.send("/dashboard/me/password/change", {
      "/password": "a sentence that nobody else has",
    });

    expect([asked.status, asked.location]).toEqual([
      303,
      "/dashboard/confirm?to=%2Fdashboard%2Fme%2Fpassword",
    ]);
  });
});

test.each([
  ["accepts money that is in review", "accept", { "@ref": "none" }],
  ["writes off what is owed", "write-off/amount", { form: "0f", "/amount": "1" }],
])("the password is asked again of a person who %s", async (_, form, fields) => {
  await using dashboard = await openLater();
  const { owner, shop } = dashboard;
  const mug = await shop.post("/v2/products", { name: "Mug", price: "10.00", stock: 5 });
  const order = await shop.post("/v2/orders", {
    line_items: [{ variant_id: mug.string("/variants/0/id"), quantity: 1 }],
    payment_method: "bank_transfer",
    customer: { phone: "+233551234987" },
  });
  const path = `/dashboard/test/orders/${order.id}`;

  const asked = await owner.send(`${path}/${form}`, fields);

  expect(asked.text).toContain("Please enter your password again");
  const { text } = await shop.get(`/v2/orders/${order.id}`);
  expect(text).toContain('"due":10');
});

describe("the way back from the password", () => {
  test("leads to the page as it was asked for", async () => {
    await using dashboard = await openLater();
    const page = `${NEW_KEY}?from=a&q=b+c`;

    const asked = await dashboard.owner.get(page);
    const back = await dashboard.owner.send("/dashboard/confirm", {
      to: (await dashboard.owner.get(asked.location)).field("to"),
      "/password": PASSWORD,
    });

    expect(back.location).toBe(page);
  });

  test.each([
    [
      "the page of the form",
      "/dashboard/test/keys/new?x=1&y=2",
      "/dashboard/test/keys/new?x=1&y=2",
    ],
    ["no other site", "https://evil.example/dashboard", NEW_KEY],
  ])("leads to %s, also after a wrong password", async (_, referer, to) => {
    await using dashboard = await openLater();
    const { owner, shop } = dashboard;
    const asked = await owner.send(`${NEW_KEY}/make`, KEY, {
      "Sec-Fetch-Site": "same-origin",
      Referer: referer.startsWith("/") ? `${shop.url}${referer}` : referer,
    });

    const refused = await send(owner, asked, "wrong");

    const linkOf = (page: SeenPage) =>
      /<a class="button quiet" href="([^"]*)"/.exec(page.html)?.[1];
    expect([linkOf(asked), linkOf(refused)]).toEqual([
      to.replaceAll("&", "&amp;"),
      to.replaceAll("&", "&amp;"),
    ]);
  });

  test("is kept where the session ended meanwhile", async () => {
    await using dashboard = await openDashboard();

    const page = await dashboard.stranger().get("/dashboard/confirm?to=%2Fdashboard%2Fme");

    expect(page.location).toBe("/dashboard/enter?to=%2Fdashboard%2Fme");
  });
});
