// Me: the browsers in which a person gets messages.

import { describe, expect, test } from "bun:test";

import { giveUpSecrets } from "#cli/operator/reset-secrets.ts";
import { Resealing } from "#platform/vault/vault.ts";
import { findPushKeys, resealConnections } from "#shop/connections/push-keys.ts";
import type { AlertRulesGiven } from "#shop/people/alert-rules.ts";
import { getPersonByName } from "#shop/people/lookups.ts";
import { changeRole, removePerson } from "#shop/people/remove-person.ts";
import { listSubscriptions } from "#shop/people/sessions/queries.ts";
import { resealSubscriptions } from "#shop/people/sessions/subscriptions.ts";

import { openPushShop, type PushShop, subscribe } from "../alerts/push-shop.ts";
import { newBrowserKeys } from "../support/push-receiver.ts";
import { PASSWORD, Visitor } from "./dashboard-shop.ts";

const ME = "/dashboard/me";
const { keys } = newBrowserKeys();
const endpoint = "https://push.example.net/push/9";

const personOf = ({ opened: { shop } }: PushShop, name: string) =>
  getPersonByName(shop.live.database.read, name);

/** How many browsers of the person get messages. */
async function browsersOf(pushed: PushShop, name: string): Promise<number> {
  const { id } = await personOf(pushed, name);
  return (await listSubscriptions(pushed.opened.shop.live.database.read, id)).length;
}

describe("the choices of a person", () => {
  const all = { "order push": "true", "security email": "true" };
  const chosenBy = async (pushed: PushShop) => (await personOf(pushed, "Ama")).alerts;

  test("hold from now on, and are in the audit log", async () => {
    await using pushed = await openPushShop();
    const { owner, shop } = pushed.opened;

    await owner.send(`${ME}/told`, all);

    const chosen: AlertRulesGiven = {
      order: ["push"],
      review: [],
      low_stock: [],
      summary: [],
      security: ["email"],
    };
    expect(await chosenBy(pushed)).toEqual(chosen);
    const audit = await shop.get("/v2/audit?action=chooseAlerts", { key: pushed.key });
    expect(audit.list("/data")).toMatchObject([
      { changed_fields: ["alerts"], before: { alerts: {} }, after: { alerts: chosen } },
    ]);
  });

  test("need the password where the safety of the shop would be told no more", async () => {
    await using pushed = await openPushShop();
    const { owner, shop } = pushed.opened;
    shop.clock.advance(16 * 60_000);

    const harmless = await owner.send(`${ME}/told`, all);
    const asked = await owner.send(`${ME}/told`, { "order push": "true" });

    expect(harmless.status).toBe(303);
    expect(asked.text).toContain("Please enter your password again");
    expect(await chosenBy(pushed)).toMatchObject({ security: ["email"] });
  });
});

describe("a test message", () => {
  test("goes to each browser of the person, signed with the key that they subscribed with", async () => {
    await using pushed = await openPushShop();
    const { opened, service, key } = pushed;
    await opened.shop.put("/v2/store", { contact_email: "shop@example.com" }, { key });
    await subscribe(opened.owner, service);
    const offered = await opened.owner.send("/dashboard/push/key");

    const sent = await opened.owner.sendAndFollow(`${ME}/test`);

    expect(sent.text).toContain("It is on its way to your devices.");
    expect(service.heard.map(({ path }) => path).toSorted()).toEqual(["/push/1", "/push/2"]);
    const [message] = service.heard;
    expect(message?.payload).toMatchObject({ title: "It works", tag: "test" });
    expect(message?.contact).toBe("mailto:shop@example.com");
    expect(message?.headers.get("authorization")).toEndWith(`, k=${JSON.parse(offered.html).key}`);
  });

  test("that no browser took is refused", async () => {
    await using pushed = await openPushShop();
    pushed.service.answer(410);

    const refused = await pushed.opened.owner.send(`${ME}/test`);

    expect(refused.status).toBe(409);
    expect(refused.text).toContain("No browser took the message");
  });
});

test("the key of the shop is told to people who are signed in, and to nobody else", async () => {
  await using pushed = await openPushShop();
  const stranger = new Visitor(pushed.opened.shop);

  expect((await stranger.send("/dashboard/push/key")).status).toBe(401);
  expect((await pushed.opened.owner.get("/dashboard/push/key")).status).toBe(404);
});

describe("a subscription", () => {
  test.each([
    ["no JSON", "{"],
    ["no keys", JSON.stringify({ endpoint })],
    ["keys that are none", JSON.stringify({ endpoint, keys: { ...keys, auth: "c2hvcnQ" } })],
    ["no https", JSON.stringify({ endpoint: "http://push.example.net/push/9", keys })],
    ["another port", JSON.stringify({ endpoint: "https://push.example.net:8443/push/9", keys })],
    ["an address that is not public", JSON.stringify({ endpoint: "https://10.0.0.1/push", keys })],
    ["a long address", JSON.stringify({ endpoint: endpoint + "9".repeat(2_048), keys })],
  ])("with %s is refused, and is not kept", async (_, subscription) => {
    await using pushed = await openPushShop();

    const refused = await pushed.opened.owner.send(`${ME}/push`, { subscription });

    expect(refused.status).toBe(422);
    expect(refused.text).toContain("The browser's subscription cannot be used.");
    expect(await browsersOf(pushed, "Ama")).toBe(1);
  });

  test("beyond ten takes the place of the oldest", async () => {
    await using pushed = await openPushShop();
    const { opened, service } = pushed;
    for (let count = 0; count < 10; count += 1) await subscribe(opened.owner, service);

    await opened.owner.send(`${ME}/test`);

    expect(service.heard).toHaveLength(10);
    expect(service.heard.map(({ path }) => path)).not.toContain("/push/1");
  });

  test("of a browser goes to who subscribed there last", async () => {
    await using pushed = await openPushShop();
    const esi = await pushed.opened.join("staff", "Esi");

    await subscribe(esi, pushed.service, "/push/1");

    expect([await browsersOf(pushed, "Ama"), await browsersOf(pushed, "Esi")]).toEqual([0, 1]);
  });

  test("is turned off by its person, and by nobody else", async () => {
    await using pushed = await openPushShop();
    const { opened } = pushed;
    const { owner } = opened;
    const esi = await opened.join("staff", "Esi");
    const browser = (await owner.get(ME)).field("browser");

    await esi.send(`${ME}/unpush`, { browser });
    const afterEsi = await browsersOf(pushed, "Ama");
    await owner.send(`${ME}/unpush`, { browser });

    expect([afterEsi, await browsersOf(pushed, "Ama")]).toEqual([1, 0]);
  });

  test("ends with the session that its person leaves", async () => {
    await using pushed = await openPushShop();

    await pushed.opened.owner.send("/dashboard/leave");

    expect(await browsersOf(pushed, "Ama")).toBe(0);
  });

  test("ends elsewhere with a new password, and stays where it was chosen", async () => {
    await using pushed = await openPushShop();
    const { opened, service } = pushed;
    const elsewhere = new Visitor(opened.shop);
    await elsewhere.send("/dashboard/enter", { "/name": "Ama", "/password": PASSWORD });
    await subscribe(elsewhere, service);
    const before = await browsersOf(pushed, "Ama");

    await opened.owner.send(`${ME}/password/change`, {
      "/password": "nine slow boats pass the bridge",
    });
    await opened.owner.send(`${ME}/test`);

    expect(before).toBe(2);
    expect(service.heard.map(({ path }) => path)).toEqual(["/push/1"]);
  });

  test.each(["role", "removal"])("ends with another %s", async (end) => {
    await using pushed = await openPushShop();
    const { opened, service } = pushed;
    const esi = await opened.join("staff", "Esi");
    await subscribe(esi, service);
    const { id } = await personOf(pushed, "Esi");

    await opened.shop.live.database.write((tx) =>
      end === "role"
        ? changeRole(tx, id, { role: "viewer", by: null })
        : removePerson(tx, id, null),
    );

    expect(await listSubscriptions(opened.shop.live.database.read, id)).toEqual([]);
  });
});

describe("the secrets of messages", () => {
  test("are read after they were sealed again", async () => {
    await using pushed = await openPushShop();
    const { database } = pushed.opened.shop.live;
    const resealing = new Resealing(database.vault);

    await database.write(async (tx) => {
      await resealConnections(tx, resealing);
      await resealSubscriptions(tx, resealing);
    });
    await pushed.opened.owner.send(`${ME}/test`);

    expect([resealing.resealed, resealing.unreadable]).toEqual([2, 0]);
    expect(pushed.service.heard).toHaveLength(1);
  });

  test("are gone once the shop gives up what it cannot read", async () => {
    await using pushed = await openPushShop();
    const { database } = pushed.opened.shop.live;

    await database.write(giveUpSecrets);

    expect(await findPushKeys(database.read, database.vault)).toBeNull();
    expect(await browsersOf(pushed, "Ama")).toBe(0);
  });
});
