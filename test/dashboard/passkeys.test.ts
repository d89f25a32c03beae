// Passkeys at the dashboard, as browsers send them.

import { describe, expect, test } from "bun:test";

import { Authenticator } from "../support/authenticator.ts";
import {
  type DashboardShop,
  openDashboard,
  PASSWORD,
  type SeenPage,
  sharedDashboard,
  type Visitor,
} from "./dashboard-shop.ts";

const dashboard = sharedDashboard();

const LATER_MS = 16 * 60_000;
const ADD = "/dashboard/me/passkeys/add";

/** A browser that opened the dashboard at `localhost`, where there are passkeys. */
class Browser {
  readonly visitor: Visitor;
  readonly host: string;

  constructor(visitor: Visitor) {
    this.visitor = visitor;
    this.host = `localhost:${new URL(visitor.shop.url).port}`;
  }

  authenticator(): Authenticator {
    return new Authenticator(`http://${this.host}`);
  }

  get(path: string): Promise<SeenPage> {
    return this.visitor.get(path, { Host: this.host });
  }

  send(path: string, fields: Readonly<Record<string, string>> = {}): Promise<SeenPage> {
    return this.visitor.send(path, fields, { "Sec-Fetch-Site": "same-origin", Host: this.host });
  }

  /** What the script of the page asks the shop for. */
  async options(purpose: "enter" | "confirm" | "register") {
    const { html } = await this.send(`/dashboard/passkey/${purpose}`);
    return JSON.parse(html);
  }

  /** Adds a passkey. */
  async add(key = this.authenticator(), name = "My phone"): Promise<Authenticator> {
    const passkey = key.create(await this.options("register"));
    const added = await this.send(`${ADD}/save`, { "/name": name, passkey });
    if (added.status !== 303) throw new Error(added.text);
    return key;
  }

  /** Signs in with the passkey. */
  async enter(key: Authenticator, lies: Parameters<Authenticator["sign"]>[1] = {}) {
    const passkey = key.sign(await this.options("enter"), lies);
    return this.send("/dashboard/enter", { "/name": "", "/password": "", passkey });
  }
}

async function joined(at: DashboardShop, role: "owner" | "staff" = "staff"): Promise<Browser> {
  return new Browser(await at.join(role, "Efua"));
}

function stranger(at: DashboardShop): Browser {
  return new Browser(at.stranger());
}

describe("a passkey", () => {
  test("that was added is shown, and signs in at a new device", async () => {
    const browser = await joined(dashboard);
    const key = await browser.add();
    const list = await browser.get("/dashboard/me/passkeys?done=added");
    const elsewhere = stranger(dashboard);

    const entered = await elsewhere.enter(key);

    expect(list.text).toContain("My phone");
    expect([entered.status, entered.location]).toEqual([303, "/dashboard"]);
    const home = await elsewhere.get("/dashboard/me");
    expect(home.text).toContain(browser.visitor.name);
  });

  test("leads to the page that was asked for", async () => {
    const browser = await joined(dashboard);
    const key = await browser.add();
    const elsewhere = stranger(dashboard);
    const passkey = key.sign(await elsewhere.options("enter"));

    const to = "/dashboard/test/orders";
    const entered = await elsewhere.send("/dashboard/enter", { to, passkey, "/password": "" });

    expect(entered.location).toBe(to);
  });

  test("that signs for another page lets no one in, and says so", async () => {
    const browser = await joined(dashboard);
    const key = await browser.add();

    const refused = await stranger(dashboard).enter(key, { origin: "https://evil.example" });

    expect(refused.status).toBe(401);
    expect(refused.text).toContain("The passkey was not accepted.");
  });

  test("that signed for one browser lets no other in", async () => {
    const browser = await joined(dashboard);
    const key = await browser.add();
    const passkey = key.sign(await stranger(dashboard).options("enter"));

    const refused = await stranger(dashboard).send("/dashboard/enter", { passkey });

    expect(refused.status).toBe(401);
  });

  test("is renamed and removed on its page", async () => {
    const browser = await joined(dashboard);
    const { id } = await browser.add();
    const path = `/dashboard/me/passkeys/${id}`;

    const wrong = await browser.send(`${path}/rename`, { "/name": " " });
    const renamed = await browser.send(`${path}/rename`, { "/name": "Old phone" });
    const list = await browser.get(renamed.location);
    const removed = await browser.send(`${path}/remove`);

    expect(wrong.status).toBe(422);
    expect(list.text).toContain("Old phone");
    expect((await browser.get(removed.location)).text).toContain("You have no passkey yet.");
    expect((await browser.get(path)).status).toBe(404);
  });

  test("of another person has no page", async () => {
    const { id } = await (await joined(dashboard)).add();

    expect((await (await joined(dashboard)).get(`/dashboard/me/passkeys/${id}`)).status).toBe(404);
  });

  test("of a person is shown to owners, with the way to remove it", async () => {
    const browser = await joined(dashboard);
    const people = await dashboard.owner.get("/dashboard/people");
    const row = people.html.split("<li").find((one) => one.includes(`>${browser.visitor.name}<`));
    const path = /href="([^"]+)"/.exec(row ?? "")?.[1] ?? "";
    const before = await dashboard.owner.get(path);

    await browser.add(browser.authenticator(), "Phone of the kiosk");

    const after = await dashboard.owner.get(path);
    expect(before.text).not.toContain("Phone of the kiosk");
    expect(after.text).toContain("Phone of the kiosk");
    expect(after.text).toContain("not used yet");
    expect(after.text).toContain("duka people link");
    expect((await browser.get(path)).status).toBe(403);
  });

  test("is asked for by the dashboard's own pages alone", async () => {
    const { visitor, host } = stranger(dashboard);

    const refused = await visitor.send(
      "/dashboard/passkey/enter",
      {},
      { "Sec-Fetch-Site": "cross-site", Host: host },
    );

    expect([refused.status, refused.headers.get("set-cookie")]).toEqual([403, null]);
  });

  test("is made and confirmed with by who is signed in", async () => {
    const browser = stranger(dashboard);

    const statuses = [
      await browser.send("/dashboard/passkey/register"),
      await browser.send("/dashboard/passkey/confirm"),
      await browser.send("/dashboard/passkey/anything"),
    ].map(({ status }) => status);

    expect(statuses).toEqual([401, 401, 401]);
    expect((await browser.get("/dashboard/passkey/enter")).status).toBe(404);
  });
});

describe("at an IP address", () => {
  test("there is no button, and the page says where there is one", async () => {
    const visitor = await dashboard.join("staff", "Efua");

    const enter = await dashboard.stranger().get("/dashboard/enter");
    const add = await visitor.get(ADD);

    expect(enter.html).not.toContain("Use a passkey");
    expect(enter.text).toContain("It does not work at this address: use one with https");
    expect(add.html).toContain('href="http://localhost:');
    expect((await visitor.send("/dashboard/passkey/register")).status).toBe(404);
  });

  test("a passkey signs no one in", async () => {
    const browser = await joined(dashboard);
    const key = await browser.add();
    const elsewhere = stranger(dashboard);
    const passkey = key.sign(await elsewhere.options("enter"));

    const refused = await elsewhere.visitor.send("/dashboard/enter", { passkey });

    expect(refused.status).toBe(401);
  });
});

test("the button is on the page where there are passkeys, hidden until a script shows it", async () => {
  const { html } = await stranger(dashboard).get("/dashboard/enter");

  expect(html).toMatch(/<div class="field" hidden>\s*<button[^>]*data-purpose="enter"/);
});

test("with a passkey the password opens no new device, and says no more than for a wrong one", async () => {
  const browser = await joined(dashboard);
  await browser.add();
  const right = { "/name": browser.visitor.name, "/password": PASSWORD };

  const refused = await stranger(dashboard).send("/dashboard/enter", right);
  const wrong = await stranger(dashboard).send("/dashboard/enter", { ...right, "/password": "x" });
  await browser.send("/dashboard/leave");
  const known = await browser.send("/dashboard/enter", right);

  expect([refused.status, refused.text]).toEqual([wrong.status, wrong.text]);
  expect(known.status).toBe(303);
});

describe("a person who confirms", () => {
  async function openLater() {
    const own = await openDashboard();
    const browser = new Browser(own.owner);
    const key = await browser.add();
    own.shop.clock.advance(LATER_MS);
    return { own, browser, key, [Symbol.asyncDispose]: () => own[Symbol.asyncDispose]() };
  }

  test("does it with a passkey, and goes on with the form as it was typed", async () => {
    await using later = await openLater();
    const { browser, key } = later;
    const path = "/dashboard/test/keys/new/make";
    const typed = { form: "0f", "/name": "Till", "/kind": "secret", "/scopes/0": "full" };

    const asked = await browser.send(path, typed);
    const passkey = key.sign(await browser.options("confirm"));
    const made = await browser.send(path, {
      ...typed,
      "confirm-password": "",
      "confirm-passkey": passkey,
    });

    expect(asked.html).toContain('data-field="confirm-passkey"');
    expect([made.status, made.text]).toEqual([200, expect.stringContaining("Till")]);
  });

  test("does it with a passkey before a page, and is led there", async () => {
    await using later = await openLater();
    const { browser, key } = later;
    const asked = await browser.get(ADD);
    const options = await browser.options("confirm");
    const passkey = key.sign(options);

    const confirmed = await browser.send("/dashboard/confirm", { to: ADD, passkey });

    expect(asked.location).toStartWith("/dashboard/confirm");
    expect(options.allowCredentials).toEqual([{ type: "public-key", id: key.id }]);
    expect([confirmed.status, confirmed.location]).toEqual([303, ADD]);
    expect((await browser.get(ADD)).status).toBe(200);
  });

  test("with what is no passkey stays on the page, and does it with the password as before", async () => {
    await using later = await openLater();
    const { browser, key } = later;
    const passkey = key.sign(await browser.options("confirm"), { isForged: true });

    const refused = await browser.send("/dashboard/confirm", { to: ADD, passkey });
    const confirmed = await browser.send("/dashboard/confirm", { to: ADD, "/password": PASSWORD });

    expect([refused.status, confirmed.status]).toEqual([401, 303]);
  });

  test("before a passkey is added, renamed or removed", async () => {
    await using later = await openLater();
    const { browser, key } = later;
    const path = `/dashboard/me/passkeys/${key.id}`;

    const asked = [
      await browser.send(`${ADD}/save`, { "/name": "Other" }),
      await browser.send(`${path}/rename`, { "/name": "Other" }),
      await browser.send(`${path}/remove`),
    ];

    for (const { text } of asked) expect(text).toContain("again. This protects the shop");
    expect((await browser.get("/dashboard/me/passkeys")).text).toContain("My phone");
  });
});

test("a form that came without a session is kept over a sign-in with a passkey", async () => {
  const browser = await joined(dashboard);
  const key = await browser.add();
  await browser.send("/dashboard/leave");
  const path = "/dashboard/test/customers/new/make";

  const asked = await browser.send(path, { "/name": "Kwame" });
  const passkey = key.sign(await browser.options("enter"));
  const shown = await browser.send(path, {
    "/name": "Kwame",
    "sign-in-name": "",
    "sign-in-password": "",
    "sign-in-passkey": passkey,
  });

  expect(asked.status).toBe(401);
  expect(shown.field("/name")).toBe("Kwame");
});

describe("where the shop asks for passkeys", () => {
  const RULE = "/dashboard/settings/sign-in/save";

  test("a person without one is not who asks others", async () => {
    await using own = await openDashboard();
    const browser = new Browser(own.owner);

    const refused = await browser.send(RULE, { "/require_passkey": "owners" });
    await browser.add();
    const saved = await browser.send(RULE, { "/require_passkey": "owners" });

    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining("Add a passkey of your own before you ask others for one."),
    ]);
    expect(saved.status).toBe(303);
  });

  test("who has none adds one at the next sign-in, before anything else", async () => {
    await using own = await openDashboard();
    const owner = new Browser(own.owner);
    await owner.add();
    const kofi = new Browser(await own.join("staff", "Kofi"));
    await owner.send(RULE, { "/require_passkey": "all" });
    const before = await kofi.get("/dashboard/orders");
    await kofi.send("/dashboard/leave");

    await kofi.send("/dashboard/enter", { "/name": "Kofi", "/password": PASSWORD });
    const led = [
      await kofi.get("/dashboard/orders"),
      await kofi.get("/dashboard/me"),
      await kofi.send("/dashboard/test/customers/new/make", { "/name": "Kwame" }),
    ];
    const live = await kofi.get("/dashboard/live?after=0");
    const page = await kofi.get(ADD);
    await kofi.add();

    expect(before.status).toBe(200);
    expect(led.map(({ location }) => location)).toEqual([
      ADD,
      ADD,
      "/dashboard/test/me/passkeys/add",
    ]);
    expect(live.status).toBe(401);
    expect(page.text).toContain("Your shop asks you for a passkey.");
    expect((await kofi.get("/dashboard/orders")).status).toBe(200);
  });

  test("of owners, staff need none", async () => {
    await using own = await openDashboard();
    const owner = new Browser(own.owner);
    await owner.add();
    await owner.send(RULE, { "/require_passkey": "owners" });

    const kofi = new Browser(await own.join("staff", "Kofi"));

    expect((await kofi.get("/dashboard")).status).toBe(200);
    const yaa = new Browser(await own.join("owner", "Yaa"));
    expect((await yaa.get("/dashboard")).location).toBe(ADD);
  });

  test("the last one is not removed, and one of two is", async () => {
    await using own = await openDashboard();
    const browser = new Browser(own.owner);
    const first = await browser.add();
    const second = await browser.add();
    await browser.send(RULE, { "/require_passkey": "all" });
    const remove = ({ id }: Authenticator) => browser.send(`/dashboard/me/passkeys/${id}/remove`);

    const removed = await remove(first);
    const refused = await remove(second);

    expect([removed.status, refused.status]).toEqual([303, 409]);
    expect(refused.text).toContain("add another one before you remove your last");
  });

  test("no more, who signed in without one goes on", async () => {
    await using own = await openDashboard();
    const owner = new Browser(own.owner);
    await owner.add();
    await owner.send(RULE, { "/require_passkey": "all" });
    const kofi = new Browser(await own.join("staff", "Kofi"));
    const led = await kofi.get("/dashboard");

    await owner.send(RULE, { "/require_passkey": "none" });

    expect(led.location).toBe(ADD);
    expect((await kofi.get("/dashboard")).status).toBe(200);
  });

  test("the setting of test mode asks no one", async () => {
    await using own = await openDashboard();

    const { body } = await own.shop.put("/v2/store", { require_passkey: "all" });

    expect(body).toMatchObject({ require_passkey: "all" });
    const kofi = new Browser(await own.join("staff", "Kofi"));
    expect((await kofi.get("/dashboard")).status).toBe(200);
  });
});

test("a network that asks for passkeys without end has its share, and others are let in", async () => {
  await using own = await openDashboard({
    settings: { DUKA_TRUSTED_PROXIES: "127.0.0.1" },
  });
  const { host } = stranger(own);
  const ask = (address: string) =>
    own
      .stranger()
      .send(
        "/dashboard/passkey/enter",
        {},
        { "Sec-Fetch-Site": "same-origin", Host: host, "X-Forwarded-For": address },
      );

  const flood: number[] = [];
  for (let at = 0; at < 1_100; at += 100) {
    const some = Array.from({ length: 100 }, () => ask("192.0.2.1"));
    flood.push(...(await Promise.all(some)).map(({ status }) => status));
  }
  const other = await ask("198.51.100.1");

  expect(flood.filter((status) => status === 503)).toHaveLength(100);
  expect(other.status).toBe(200);
});
