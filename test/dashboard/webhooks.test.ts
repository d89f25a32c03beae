// Endpoints of webhooks at the dashboard: made, edited, turned off, deleted, and their secrets, which are shown once.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { Webhook } from "standardwebhooks";

import { disableAs, openEndpoint, sicken, unused } from "../messaging/webhooks/endpoints.ts";
import { openReceiver } from "../support/receivers.ts";
import type { Answered } from "../support/shop.ts";
import { type DashboardShop, openDashboard, type SeenPage } from "./dashboard-shop.ts";

const SECRET = /whsec_[\w+/=]{40,}/;
const MINUTE_MS = 60_000;
const LIST = "/dashboard/test/webhooks";

let dashboard: DashboardShop;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

const at = ({ id }: { readonly id: string }, path = "") => `${LIST}/${id}${path}`;
const now = ({ id }: { readonly id: string }): Promise<Answered> =>
  dashboard.shop.get(`/v2/webhooks/${id}`);
/** The endpoint that was made last. */
const newest = async () => (await dashboard.shop.get("/v2/webhooks")).at("/data/0");

/** Sends the form of a new endpoint as it was shown, with what was typed. */
async function make(fields: Readonly<Record<string, string>> = {}): Promise<SeenPage> {
  const page = await dashboard.owner.get(`${LIST}/new`);
  return dashboard.owner.send(`${LIST}/new/make`, {
    form: page.field("form"),
    "/url": unused.url,
    "/events/0": "*",
    ...fields,
  });
}

/** The name of the box for an event or a pattern. */
async function boxOf(value: string): Promise<string> {
  const { html } = await dashboard.owner.get(`${LIST}/new`);
  const escaped = value.replaceAll(/[.*]/g, String.raw`\$&`);
  return new RegExp(`name="(/events/\\d+)" value="${escaped}"`).exec(html)?.[1] ?? "";
}

describe("a new endpoint", () => {
  test("receives signed events, and its secret is shown once and on no page that is kept", async () => {
    await using receiver = openReceiver();

    const made = await make({ "/url": receiver.url, "/description": "Accounting" });

    const secret = SECRET.exec(made.html)?.[0] ?? "";
    expect([made.status, made.headers.get("cache-control")]).toEqual([200, "no-store"]);
    await dashboard.shop.post("/v2/products", { name: "Mug", price: "1.00" });
    const [arrived] = await receiver.next();
    const headers = Object.fromEntries(arrived?.headers ?? []);
    expect(new Webhook(secret).verify(arrived?.body ?? "", headers)).toMatchObject({
      event: "product.created",
    });
    const list = await dashboard.owner.get(LIST);
    expect(list.text).toContain(receiver.url);
    expect(list.text).toContain("Accounting · All events");
    const id = String((await dashboard.shop.get("/v2/webhooks")).at("/data/0/id"));
    for (const { html } of [list, await dashboard.owner.get(at({ id }))]) {
      expect(html).not.toContain(secret);
    }
  });

  test("receives what was ticked and nothing else", async () => {
    const [paid, stock] = [await boxOf("order.paid"), await boxOf("inventory.low")];

    await make({ "/events/0": "", [paid]: "order.paid", [stock]: "inventory.low" });

    expect(await newest()).toMatchObject({ events: ["order.paid", "inventory.low"] });
  });

  test("with all events receives those about keys only if they are ticked", async () => {
    const [paid, key] = [await boxOf("order.paid"), await boxOf("key.created")];

    await make({ "/events/0": "*", [paid]: "order.paid", [key]: "key.created" });

    expect(await newest()).toMatchObject({ events: ["*", "key.created"] });
  });

  test("without an event is refused, with what was typed", async () => {
    const before = await newest();

    const refused = await make({ "/events/0": "", "/description": "Accounting" });

    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Choose at least one event.");
    expect(refused.field("/description")).toBe("Accounting");
    expect(await newest()).toEqual(before);
  });

  test("at an address to which nothing is sent is refused at its field", async () => {
    const refused = await make({ "/url": "ftp://files.example.com/" });

    expect(refused.status).toBe(422);
    expect(refused.html).toContain('href="#f-url"');
    expect(refused.field("/url")).toBe("ftp://files.example.com/");
  });

  test("is one endpoint, however often the form is sent", async () => {
    await using other = await openDashboard();
    const page = await other.owner.get(`${LIST}/new`);
    const fields = { form: page.field("form"), "/url": unused.url, "/events/0": "*" };

    await Promise.all([1, 2].map(() => other.owner.send(`${LIST}/new/make`, fields)));

    expect((await other.shop.get("/v2/webhooks")).list("/data")).toHaveLength(1);
  });

  test("says what it is called as text", async () => {
    const endpoint = await openEndpoint(dashboard.shop, {
      url: "https://x.example/?a=<img>",
      description: '"><img src=x onerror=alert(1)>',
    });

    for (const path of [LIST, at(endpoint), at(endpoint, "/edit"), at(endpoint, "/delete")]) {
      expect((await dashboard.owner.get(path)).html).not.toContain("<img");
    }
  });
});

describe("an endpoint", () => {
  /** What the form of the edit page sends. */
  const edited = (page: SeenPage, fields: Readonly<Record<string, string>>) => ({
    version: page.field("version"),
    "/url": page.field("/url"),
    "/description": page.field("/description"),
    "/events/0": "*",
    ...fields,
  });

  test("is edited, and the edit is taken back", async () => {
    const endpoint = await openEndpoint(dashboard.shop, { description: "Old till" });
    const page = await dashboard.owner.get(at(endpoint, "/edit"));
    const fields = edited(page, { "/description": "New till" });

    const saved = await dashboard.owner.sendAndFollow(at(endpoint, "/edit/save"), fields);
    const changed = await now(endpoint);
    const undone = await dashboard.owner.sendAndFollow(at(endpoint, "/edit/save"), {
      form: saved.field("form"),
      undo: saved.field("undo"),
    });

    expect(saved.text).toContain("Saved.");
    expect(changed.body).toMatchObject({ description: "New till", events: ["*"] });
    expect(undone.text).toContain("Undone. It is as it was.");
    const { events } = unused;
    expect((await now(endpoint)).body).toMatchObject({ description: "Old till", events });
  });

  test("that was changed meanwhile keeps what was typed, and says how it is now", async () => {
    const endpoint = await openEndpoint(dashboard.shop, { description: "Till" });
    const page = await dashboard.owner.get(at(endpoint, "/edit"));
    await dashboard.shop.put(endpoint.path, { description: "Second till", events: ["order.*"] });

    const late = await dashboard.owner.send(
      at(endpoint, "/edit/save"),
      edited(page, { "/description": "Third till" }),
    );

    expect([late.status, late.field("/description")]).toEqual([412, "Third till"]);
    expect(late.text).toContain("Now: Second till");
    expect(late.text).toContain("Now: order.*");
  });

  test("keeps a pattern that it has, also of a noun with one event", async () => {
    const endpoint = await openEndpoint(dashboard.shop, { events: ["order.*", "inventory.*"] });

    const { html } = await dashboard.owner.get(at(endpoint, "/edit"));

    const ticked = [...html.matchAll(/type="checkbox" name="[^"]*" value="([^"]*)" checked/g)];
    expect(ticked.map(([, value]) => value)).toEqual(["order.*", "inventory.*"]);
  });

  test("is turned off on a page that says what that does, and is turned on again", async () => {
    const endpoint = await openEndpoint(dashboard.shop);
    const page = await dashboard.owner.get(at(endpoint, "/off"));

    const off = await dashboard.owner.sendAndFollow(at(endpoint, "/off/sure"), {
      version: page.field("version"),
      "/status": "disabled",
    });
    const on = await dashboard.owner.sendAndFollow(at(endpoint, "/on"), {
      version: off.field("version"),
      "/status": "enabled",
    });

    expect(page.text).toContain("deliveries that wait for another attempt are cancelled");
    expect(off.text).toContain("Nothing is sent to it.");
    expect(on.text).toContain("Turned on.");
    expect((await now(endpoint)).at("/status")).toBe("enabled");
  });

  test("gets another secret, beside which the previous one works for a day", async () => {
    await using receiver = openReceiver();
    const endpoint = await openEndpoint(dashboard.shop, { url: receiver.url });
    const page = await dashboard.owner.get(at(endpoint, "/rotate"));

    const shown = await dashboard.owner.send(at(endpoint, "/rotate/sure"), {
      form: page.field("form"),
      "/overlap_hours": "24",
    });

    const secret = SECRET.exec(shown.html)?.[0] ?? "";
    expect(secret).not.toBe(endpoint.secret);
    expect(shown.headers.get("cache-control")).toBe("no-store");
    expect(shown.text).toContain("The previous one works until");
    await dashboard.shop.post(`${endpoint.path}/ping`);
    const [arrived] = receiver.received;
    const headers = Object.fromEntries(arrived?.headers ?? []);
    for (const one of [secret, endpoint.secret]) {
      expect(() => new Webhook(one).verify(arrived?.body ?? "", headers)).not.toThrow();
    }
    const { text, html } = await dashboard.owner.get(at(endpoint));
    expect(text).toContain("The previous one works until");
    expect(html).not.toContain(secret);
  });

  test("is deleted on a page that says what that does", async () => {
    const endpoint = await openEndpoint(dashboard.shop);
    const { text } = await dashboard.owner.get(at(endpoint, "/delete"));

    const list = await dashboard.owner.sendAndFollow(at(endpoint, "/delete/sure"));

    expect(text).toContain("Its secret and the list of its deliveries are deleted.");
    expect(list.text).toContain("Removed.");
    expect((await now(endpoint)).status).toBe(404);
    expect((await dashboard.owner.get(at(endpoint))).status).toBe(404);
  });
});

describe("how an endpoint stands", () => {
  test("is said in plain words, with those that fail first", async () => {
    await using other = await openDashboard();
    const { shop, owner } = other;
    const sick = await openEndpoint(shop, { url: "https://sick.example/" });
    const gone = await openEndpoint(shop, { url: "https://gone.example/" });
    await openEndpoint(shop, { url: "https://new.example/" });
    await sicken(shop, sick);
    await disableAs(shop, gone.id, "gone");

    const { text } = await owner.get(LIST);

    const order = ["gone.example", "sick.example", "new.example"].map((host) => text.indexOf(host));
    expect(order).toEqual(order.toSorted((one, next) => one - next));
    for (const words of ["Failing since today, 08:00", "Turned off", "Nothing sent yet"]) {
      expect(text).toContain(words);
    }
    expect((await owner.get(at(sick))).text).toContain(
      "The last 3 attempts failed. If none succeeds, it is turned off on",
    );
    expect((await owner.get(at(gone))).text).toContain("The address answered 410 Gone");
  });

  test("leads from Home to the one that fails, and to the list where several do", async () => {
    await using other = await openDashboard();
    const { shop, owner } = other;
    await shop.post("/v2/orders", {
      line_items: [{ name: "Mug", unit_price: "10.00", quantity: 1 }],
      channel: "pos",
    });
    const first = await openEndpoint(shop);
    await sicken(shop, first);
    const { html } = await owner.get("/dashboard/test");
    const [href = ""] = /\/dashboard\/test\/webhooks\?[^"]*/.exec(html) ?? [];

    const one = await owner.get(href);
    await sicken(shop, await openEndpoint(shop));
    const several = await owner.get(href);

    expect(one.location).toBe(at(first));
    expect([several.status, several.text.split("Failing since")]).toMatchObject([
      200,
      { length: 3 },
    ]);
  });
});

test("a shop without endpoints says once what they are for", async () => {
  const { text } = await dashboard.owner.get("/dashboard/webhooks");

  expect(text.split("A webhook tells a program what happens")).toHaveLength(2);
});

test("staff see no endpoints, and make none", async () => {
  const staff = await dashboard.join("staff", "Kofi");
  const endpoint = await openEndpoint(dashboard.shop);

  const seen = [
    await staff.get(LIST),
    await staff.get(at(endpoint)),
    await staff.send(`${LIST}/new/make`, { "/url": unused.url, "/events/0": "*" }),
    await staff.send(at(endpoint, "/ping")),
    await staff.send(at(endpoint, "/delete/sure")),
  ];

  expect(seen.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  expect((await now(endpoint)).status).toBe(200);
});

test("15 minutes after the password was given no form sends events elsewhere or makes a secret", async () => {
  await using other = await openDashboard();
  const { shop, owner } = other;
  const endpoint = await openEndpoint(shop);
  shop.clock.advance(16 * MINUTE_MS);

  const sent = [
    await owner.send(`${LIST}/new/make`, { "/url": unused.url, "/events/0": "*" }),
    await owner.send(at(endpoint, "/edit/save"), {
      version: "1",
      "/url": "https://other.example/",
    }),
    await owner.send(at(endpoint, "/rotate/sure"), { "/overlap_hours": "0" }),
    await owner.send(at(endpoint, "/delete/sure")),
  ];

  for (const { text } of sent) expect(text).toContain("Please enter your password again");
  expect((await owner.get(`${LIST}/new`)).location).toContain("/dashboard/confirm?to=");
  expect((await shop.get(endpoint.path)).body).toMatchObject({ url: unused.url, version: 1 });
});
