// Alerts to the owners of a shop: what they are told of, how often, and by which way.

import { describe, expect, test } from "bun:test";

import { DAY_MS } from "#kernel/time.ts";
import { FAILED_SIGN_IN, recordFailure } from "#shop/audit/record-act.ts";
import { getPersonByName } from "#shop/people/lookups.ts";
import { changeRole } from "#shop/people/remove-person.ts";

import { openDashboard, PASSWORD, Visitor } from "../dashboard/dashboard-shop.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { openTestShop } from "../support/shop.ts";
import { type HeardEmail, openSmtpReceiver } from "../support/smtp-receiver.ts";
import { AMA, giveEmail, openAlertShop, tellDue, textOf } from "./alert-shop.ts";

const subjects = (heard: readonly { readonly headers: ReadonlyMap<string, string> }[]) =>
  heard.map(({ headers }) => headers.get("subject"));

describe("an owner is told", () => {
  test("of a sign-in at a device that is not known, and not of one that is", async () => {
    await using opened = await openAlertShop();
    const { shop, owner } = opened;
    await owner.send("/dashboard/leave");
    await owner.send("/dashboard/enter", { "/name": owner.name, "/password": PASSWORD });
    const known = await opened.told();
    const elsewhere = new Visitor(shop, owner.name);
    await elsewhere.send("/dashboard/enter", { "/name": owner.name, "/password": PASSWORD });

    expect(known).toEqual([]);
    const [email, ...others] = await opened.told();
    expect(others).toEqual([]);
    expect(email?.headers.get("subject")).toBe("New sign-in: My shop");
    expect(textOf(email)).toContain("Ama signed in at a device that is not known.");
    expect(textOf(email)).toContain("127.0.0.0/24");
    expect(textOf(email)).toMatch(/\/dashboard\/alert\/alr_/);
  });

  test("of 20 failures of a name in a day, and not of 19", async () => {
    await using opened = await openAlertShop();
    const { live } = opened.shop;
    const { id: subject } = await getPersonByName(live.database.read, "Ama");
    const failure = { actorName: null, action: FAILED_SIGN_IN, subject };
    const fail = async (times: number, clientNetwork: string) => {
      for (let time = 0; time < times; time += 1) {
        await live.database.write((tx) => recordFailure(tx, { ...failure, clientNetwork }));
      }
    };

    await fail(10, "192.0.2.0/24");
    await fail(9, "198.51.100.0/24");
    const before = await opened.told();
    await fail(1, "192.0.2.0/24");

    expect(before).toEqual([]);
    const [email, ...others] = await opened.told();
    expect(others).toEqual([]);
    expect(textOf(email)).toContain("The password of Ama was tried in vain 20 times in a day.");
  });

  test("of a new key, without the key", async () => {
    await using opened = await openAlertShop();

    const key = await opened.shop.createKey({ mode: "live" });

    const [email] = await opened.told();
    expect(email?.headers.get("subject")).toBe("New API key: My shop");
    expect(email?.source).not.toContain(key.slice(8));
    expect(textOf(email)).toContain("The terminal of the server");
  });

  test("of a person who comes, gets another role and goes, each once in an hour", async () => {
    await using opened = await openAlertShop();
    const esi = await opened.join("staff", "Esi");
    const joined = subjects(await opened.told());
    await opened.remove(esi.name);

    expect(joined).toEqual(["A change of who may sign in: My shop"]);
    expect(subjects(await opened.told())).toEqual(joined);
  });

  test("of files of customers that are taken out, once in an hour for who takes them", async () => {
    await using opened = await openAlertShop();
    const { owner } = opened;
    await owner.send("/dashboard/customers/export");
    await owner.send("/dashboard/orders/export/file?from=2026-01-01&to=2026-01-31");

    expect(subjects(await opened.told())).toEqual(["Customer data was taken out: My shop"]);
  });

  test("of webhooks to a new host, and not of others to the same", async () => {
    await using opened = await openAlertShop();
    const { shop } = opened;
    const key = await shop.createKey({ mode: "live" });
    const url = "https://hooks.example.com/secret-path";

    const made = await shop.post("/v2/webhooks", { url }, { key });
    await opened.told();
    await shop.post("/v2/webhooks", { url: "https://hooks.example.com/b" }, { key });
    await shop.put(`/v2/webhooks/${made.id}`, { url: "https://other.example.com/c" }, { key });

    const heard = await opened.told();
    expect(subjects(heard)).toEqual([
      "New API key: My shop",
      "Webhooks go to a new host: My shop",
      "Webhooks go to a new host: My shop",
    ]);
    expect(textOf(heard[1])).toContain("hooks.example.com");
    expect(textOf(heard[1])).not.toContain("secret-path");
    expect(textOf(heard[2])).toContain("other.example.com");
  });

  test("of another refund limit and rule of passkeys, and of no other setting", async () => {
    await using opened = await openAlertShop();
    const { shop } = opened;
    const key = await shop.createKey({ mode: "live" });

    await shop.put("/v2/store", { support_line: "Hello" }, { key });
    const before = await opened.told();
    await shop.put("/v2/store", { refund_limit: "10.00", require_passkey: "all" }, { key });

    expect(subjects(before)).toEqual(["New API key: My shop"]);
    const [, ...after] = (await opened.told()).map(textOf);
    expect(after).toHaveLength(2);
    expect(after.join("\n")).toContain("The setting refund_limit was changed.");
    expect(after.join("\n")).toContain("The setting require_passkey was changed.");
  });

  test("in the language of the shop", async () => {
    await using opened = await openAlertShop();
    const { shop } = opened;
    const key = await shop.createKey({ mode: "live" });
    await opened.told();

    await shop.put("/v2/store", { locale: "sw", refund_limit: "10.00" }, { key });

    const text = textOf((await opened.told()).at(-1));
    expect(text).toContain("Mpangilio refund_limit umebadilishwa.");
  });
});

describe("alerts", () => {
  test("of an owner who is one no more go to them, too: a thief would lower them first", async () => {
    await using opened = await openAlertShop();
    const { shop } = opened;
    const kofi = await opened.join("owner", "Kofi");
    await giveEmail(shop, kofi, "kofi@example.com");
    await shop.live.database.write(async (tx) => {
      const { id } = await getPersonByName(tx, "Kofi");
      await changeRole(tx, id, { role: "viewer", by: "Ama" });
    });
    await shop.createKey({ mode: "live" });

    const heard = await opened.told("kofi@example.com");

    expect(subjects(heard)).toEqual(["A change of who may sign in: My shop"]);
    expect(textOf(heard[0])).toContain("The role of Kofi was changed.");
  });

  test("go to all owners with an email, and to no one else", async () => {
    await using opened = await openAlertShop();
    const kofi = await opened.join("owner", "Kofi");
    const esi = await opened.join("staff", "Esi");
    await giveEmail(opened.shop, kofi, "kofi@example.com");
    await giveEmail(opened.shop, esi, "esi@example.com");
    await opened.told();
    const before = opened.receiver.heard.length;
    await opened.shop.createKey({ mode: "live" });
    await opened.told();

    const to = opened.receiver.heard.slice(before).map((email) => email.to);
    expect(to.toSorted()).toEqual([AMA, "kofi@example.com"]);
  });

  test("are sent later by a mail server that takes none now", async () => {
    const replies = ["451 4.3.2 Not now"];
    await using opened = await openAlertShop({ toMessage: () => replies.shift() });
    await opened.shop.createKey({ mode: "live" });
    const tried = await opened.told();

    opened.shop.clock.advance(2 * 60_000);
    const sent = await opened.told();

    expect([tried.length, sent.length]).toEqual([1, 2]);
    expect(sent[0]?.headers.get("message-id")).toBe(sent[1]?.headers.get("message-id") ?? "");
  });

  test("of what was told before are not told again after a restart", async () => {
    await using opened = await openAlertShop();
    await opened.shop.createKey({ mode: "live" });
    await opened.told();
    await opened.told();

    expect(await opened.told()).toHaveLength(1);
  });

  test("of acts before a stop are sent after the next start", async () => {
    using folder = openScratchFolder();
    const stopped = await openAlertShop({}, { folder });
    await stopped.shop.createKey({ mode: "live" });
    const before = stopped.receiver.heard.length;
    await stopped[Symbol.asyncDispose]();
    await using receiver = await openSmtpReceiver();
    const settings = { DUKA_SMTP_URL: receiver.url, DUKA_MAIL_FROM: "shop@shop.example" };
    await using shop = await openTestShop({ folder, settings });

    await tellDue(shop, "live");

    expect(before).toBe(0);
    expect(subjects(receiver.heard)).toEqual(["New API key: My shop"]);
  });

  test("of the test shop are in its inbox", async () => {
    await using opened = await openAlertShop();
    const { shop } = opened;

    await shop.put("/v2/store", { refund_limit: "10.00" });
    await tellDue(shop, "test");

    const mail = await shop.get("/v2/test/inbox?name=mail&limit=1");
    expect(mail.text).toContain("A safety setting was changed");
    expect(opened.receiver.heard).toEqual([]);
  });
});

describe("Home shows", () => {
  test("an owner without an email what happened, for seven days", async () => {
    await using dashboard = await openDashboard();
    const { shop, owner } = dashboard;
    await shop.createKey({ mode: "live" });
    await tellDue(shop, "live");

    const now = await owner.get("/dashboard");
    const staff = await (await dashboard.join("staff", "Esi")).get("/dashboard");
    shop.clock.advance(6 * DAY_MS);
    const later = await owner.get("/dashboard");
    shop.clock.advance(2 * DAY_MS);
    await owner.send("/dashboard/enter", { "/name": owner.name, "/password": PASSWORD });
    const over = await owner.get("/dashboard");

    expect(now.text).toContain("An API key was made or replaced.");
    expect(now.text).toContain("Get these by email");
    expect(staff.text).not.toContain("An API key was made");
    expect(later.text).toContain("An API key was made");
    expect(over.status).toBe(200);
    expect(over.text).not.toContain("An API key was made");
  });

  test("nothing of what an email told", async () => {
    await using opened = await openAlertShop();
    await opened.shop.createKey({ mode: "live" });
    await opened.told();

    expect((await opened.owner.get("/dashboard")).text).not.toContain("An API key was made");
  });
});

describe("the button of an alert", () => {
  test("ends the sessions and devices of the person, and opening its page does not", async () => {
    await using opened = await openAlertShop();
    const { owner } = opened;
    const thief = new Visitor(opened.shop, owner.name);
    await thief.send("/dashboard/enter", { "/name": owner.name, "/password": PASSWORD });
    const link = linkIn((await opened.told())[0]);

    const page = await opened.stranger().get(link);
    const before = await thief.get("/dashboard");
    const pressed = await opened.stranger().send(link);

    expect(page.text).toContain("Ama signed in at a device that is not known.");
    expect([before.status, pressed.status]).toEqual([200, 200]);
    expect((await thief.get("/dashboard")).location).toContain("/dashboard/enter");
    expect((await owner.get("/dashboard")).location).toContain("/dashboard/enter");
    const key = await opened.shop.createKey({ mode: "live" });
    const log = await opened.shop.get("/v2/audit?action=disownSessions", { key });
    expect(log.list("/data")).toHaveLength(1);
    const heard = (await opened.told()).length;
    await owner.send("/dashboard/enter", { "/name": owner.name, "/password": PASSWORD });
    expect(await opened.told()).toHaveLength(heard + 1);
  });

  test("is not pressed by a page of another site", async () => {
    await using opened = await openAlertShop();
    await new Visitor(opened.shop, "Ama").send("/dashboard/enter", {
      "/name": "Ama",
      "/password": PASSWORD,
    });
    const link = linkIn((await opened.told())[0]);

    const strange = { "Sec-Fetch-Site": "cross-site" };
    const pressed = await opened.stranger().send(link, {}, strange);

    expect(pressed.status).toBe(403);
    expect((await opened.owner.get("/dashboard")).status).toBe(200);
  });

  test("works for a day, and only as it was signed", async () => {
    await using opened = await openAlertShop();
    await new Visitor(opened.shop, "Ama").send("/dashboard/enter", {
      "/name": "Ama",
      "/password": PASSWORD,
    });
    const link = linkIn((await opened.told())[0]);
    const forged = link.replace(/.$/, (last) => (last === "A" ? "B" : "A"));

    const wrong = await opened.stranger().send(forged);
    opened.shop.clock.advance(DAY_MS);
    const late = await opened.stranger().send(link);

    expect([wrong.status, late.status]).toEqual([404, 404]);
    expect((await opened.owner.get("/dashboard")).status).toBe(200);
  });
});

function linkIn(email: HeardEmail | undefined): string {
  return /\/dashboard\/alert\/[\w.-]+/.exec(textOf(email))?.[0] ?? "";
}
