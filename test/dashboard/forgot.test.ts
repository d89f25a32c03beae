// A new password by email for who has forgotten theirs.

import { expect, test } from "bun:test";

import { getPersonByName } from "#shop/people/lookups.ts";
import { insertPasskey } from "#shop/people/passkeys/queries.ts";

import { AMA, giveEmail, openAlertShop, textOf } from "../alerts/alert-shop.ts";
import { until } from "../support/until.ts";
import { Visitor } from "./dashboard-shop.ts";

const ESI = "esi@example.com";
const ask = (visitor: Visitor, email: string) =>
  visitor.send("/dashboard/forgot", { "/email": email });
/** The same from an address that a proxy tells. */
const askFrom = (address: string, visitor: Visitor, email: string) =>
  visitor.send(
    "/dashboard/forgot",
    { "/email": email },
    { "Sec-Fetch-Site": "same-origin", "X-Forwarded-For": address },
  );
const linkIn = (text: string) => /\/dashboard\/door\/[\w-]+/.exec(text)?.[0] ?? "";
const password = { "/password": "seven quiet rivers meet at noon" };

test("a link to a confirmed email lets its person choose a password, and ends their sessions", async () => {
  await using opened = await openAlertShop();
  const { shop, owner, receiver } = opened;
  const stranger = new Visitor(shop, "");

  await ask(stranger, AMA.toUpperCase());
  await until(() => receiver.heard.length === 1, "No link was sent.");
  const [email] = receiver.heard;
  await stranger.send(linkIn(textOf(email)), password);

  expect(email?.to).toBe(AMA);
  expect((await owner.get("/dashboard")).status).toBe(303);
  expect((await stranger.get("/dashboard")).status).toBe(200);
  expect(textOf((await opened.told()).at(-1))).toContain("Ama chose a password with a link.");
});

test("a mailbox is not enough for a person with a passkey", async () => {
  await using opened = await openAlertShop();
  const { shop, receiver } = opened;
  const stranger = new Visitor(shop, "");
  await shop.live.database.write(async (tx) => {
    const { id } = await getPersonByName(tx, "Ama");
    const times = { createdAt: tx.now, usedAt: null };
    await insertPasskey(tx, {
      id: "one",
      personId: id,
      publicKey: "k",
      signCount: 0,
      name: "Phone",
      ...times,
    });
  });
  await ask(stranger, AMA);
  await until(() => receiver.heard.length === 1, "No link was sent.");

  const answer = await stranger.send(linkIn(textOf(receiver.heard[0])), password);

  expect(answer.location).toBe("/dashboard/enter");
  expect(textOf((await opened.told()).at(-1))).toContain("Ama chose a password with a link.");
  expect((await stranger.get("/dashboard")).status).toBe(303);
});

test("an unknown email is answered as a known one, and the fourth link in an hour is not sent", async () => {
  await using opened = await openAlertShop();
  const { shop, receiver } = opened;
  const stranger = new Visitor(shop, "");
  const known = await ask(stranger, AMA);
  const unknown = await ask(stranger, "nobody@example.com");
  for (let time = 0; time < 3; time += 1) await ask(stranger, AMA);
  await giveEmail(shop, await opened.join("staff", "Esi"), ESI);
  await ask(stranger, ESI);
  await until(() => receiver.heard.some(({ to }) => to === ESI), "Esi got no link.");

  expect(unknown.text).toBe(known.text);
  expect(receiver.heard.filter(({ to }) => to === AMA)).toHaveLength(3);
});

test("an email that was not confirmed gets no link", async () => {
  await using opened = await openAlertShop();
  const { shop, receiver } = opened;
  const stranger = new Visitor(shop, "");
  const esi = await opened.join("staff", "Esi");
  await esi.send("/dashboard/me/email", { "/email": ESI });
  await until(() => receiver.heard.length === 1, "Esi was not asked to confirm the email.");

  await ask(stranger, ESI);
  await ask(stranger, AMA);
  await until(() => receiver.heard.some(({ to }) => to === AMA), "Ama got no link.");

  expect(receiver.heard.filter(({ to }) => to === ESI)).toHaveLength(1);
});

test("a network has ten links in an hour, and others are let in", async () => {
  await using opened = await openAlertShop({}, { settings: { DUKA_TRUSTED_PROXIES: "127.0.0.1" } });
  const { shop, receiver } = opened;
  const stranger = new Visitor(shop, "");
  await giveEmail(shop, await opened.join("staff", "Esi"), ESI);
  for (let time = 0; time < 10; time += 1)
    await askFrom("192.0.2.1", stranger, "nobody@example.com");

  const eleventh = await askFrom("192.0.2.1", stranger, AMA);
  await askFrom("198.51.100.1", stranger, ESI);
  await until(() => receiver.heard.some(({ to }) => to === ESI), "Esi got no link.");

  expect(eleventh.text).toContain("If a person of this shop has this email");
  expect(receiver.heard.filter(({ to }) => to === AMA)).toEqual([]);
});

test("owners can turn it off", async () => {
  await using opened = await openAlertShop();
  const { shop } = opened;
  const key = await shop.createKey({ mode: "live" });
  await shop.put("/v2/store", { recovery_by_email: false }, { key });
  const stranger = new Visitor(shop, "");

  expect((await stranger.get("/dashboard/forgot")).location).toBe("/dashboard/enter");
  expect((await stranger.get("/dashboard/enter")).text).not.toContain("/dashboard/forgot");
});
