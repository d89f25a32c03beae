// A person's own email: it counts once the link that was sent there was opened in a session of theirs.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { mailOwnEmail } from "#alerts/mail-own-email.ts";
import type { EmailsShop } from "#emails/emails-shop.ts";
import { DAY_MS, MINUTE_MS } from "#kernel/time.ts";
import { findPeople, getPersonByName } from "#shop/people/lookups.ts";

import {
  type DashboardShop,
  decoded,
  openDashboard,
  PASSWORD,
  type Visitor,
} from "./dashboard-shop.ts";

const ME = "/dashboard/test/me";
let dashboard: DashboardShop;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

/** The path of the link in the newest email of the inbox. */
async function linkSent(): Promise<string> {
  const mail = await dashboard.shop.get("/v2/test/inbox?name=mail&limit=1");
  const found = /\/dashboard\/test\/me\/email\/[0-9A-Za-z]+/.exec(decoded(mail.text));
  if (found === null) throw new Error(mail.text);
  return found[0];
}

const emailOf = async ({ name }: Visitor) =>
  (await getPersonByName(dashboard.shop.live.database.read, name)).email;

/** Asks for the email and answers the path of its link. */
async function ask(visitor: Visitor, email: string): Promise<string> {
  const sent = await visitor.send(`${ME}/email`, { "/email": email });
  if (sent.status !== 303) throw new Error(sent.text);
  return linkSent();
}

test("an email counts once its link was opened and confirmed, and is kept in lower case", async () => {
  const ada = await dashboard.join("owner", "Ada");

  const link = await ask(ada, "Ada@Example.com");
  const asked = await emailOf(ada);
  const page = await ada.get(link);
  const looked = await emailOf(ada);
  const done = await ada.sendAndFollow(`${link}/sure`);

  expect([asked, looked]).toEqual([null, null]);
  expect(page.text).toContain("ada@example.com");
  expect(done.text).toContain("ada@example.com");
  expect(await emailOf(ada)).toBe("ada@example.com");
});

test("a link opens nothing in the session of another person, and nothing twice", async () => {
  const esi = await dashboard.join("staff", "Esi");
  const kofi = await dashboard.join("staff", "Kofi");
  const link = await ask(esi, "esi@example.com");

  const foreign = [await kofi.get(link), await kofi.send(`${link}/sure`)];
  const stranger = await dashboard.stranger().get(link);
  await esi.send(`${link}/sure`);
  const again = await esi.get(link);

  expect(foreign.map(({ status }) => status)).toEqual([404, 404]);
  expect(await emailOf(kofi)).toBeNull();
  expect(stranger.location).toContain("/dashboard/enter?to=");
  expect(await emailOf(esi)).toBe("esi@example.com");
  expect(again.status).toBe(404);
});

test("a new email leaves the former one until it is confirmed, and ends the link before it", async () => {
  const yaa = await dashboard.join("owner", "Yaa");
  await yaa.send(`${await ask(yaa, "yaa@example.com")}/sure`);
  dashboard.shop.clock.advance(2 * MINUTE_MS);
  const first = await ask(yaa, "yaa@one.example");
  const soon = await yaa.send(`${ME}/email`, { "/email": "yaa@two.example" });
  dashboard.shop.clock.advance(2 * MINUTE_MS);
  const second = await ask(yaa, "yaa@two.example");

  expect(soon.status).toBe(429);
  expect((await yaa.send(`${first}/sure`)).status).toBe(404);
  expect(await emailOf(yaa)).toBe("yaa@example.com");
  await yaa.send(`${second}/sure`);
  expect(await emailOf(yaa)).toBe("yaa@two.example");
});

test("an email of another person, and what is none, are refused at the field", async () => {
  const abena = await dashboard.join("owner", "Abena");
  const kwame = await dashboard.join("owner", "Kwame");
  await abena.send(`${await ask(abena, "abena@example.com")}/sure`);

  const taken = await kwame.send(`${ME}/email`, { "/email": "ABENA@example.com" });
  const none = await kwame.send(`${ME}/email`, { "/email": "abena" });

  expect(taken.status).toBe(409);
  expect(taken.text).toContain("Another person has this email.");
  expect(none.status).toBe(422);
  expect(none.text).toContain("This is not an email");
});

test("an email is read as a customer's is: its domain is kept in ASCII, and has a point", async () => {
  const araba = await dashboard.join("owner", "Araba");

  const early = await araba.send(`${ME}/email`, { "/email": "araba@gmail" });
  await araba.send(`${await ask(araba, " Araba@Bücher.example ")}/sure`);

  expect(early.status).toBe(422);
  expect(await emailOf(araba)).toBe("araba@xn--bcher-kva.example");
});

test("a second link within a minute is not sent", async () => {
  const aba = await dashboard.join("owner", "Aba");
  await ask(aba, "aba@one.example");

  const again = await aba.send(`${ME}/email`, { "/email": "aba@two.example" });

  expect(again.status).toBe(429);
  expect(again.text).toContain("wait before the next one");
});

test("a person is told where the mail server does not take the email, or where there is none", async () => {
  const { database } = dashboard.shop.test;
  const from = { name: null, address: "shop@example.com" };
  const outcome = { kind: "refused", fault: "rejected", codes: "550", isFull: false } as const;
  const refusing = { from, send: async () => ({ ...outcome, response: "550 no such mailbox" }) };
  const to = { name: "Ama", address: "ama@example.com" };
  const refusalBy = (mail: EmailsShop["mail"]) =>
    mailOwnEmail({ database, mail }, to, "https://shop.example/link").catch(
      (error: unknown) => error,
    );

  expect(await refusalBy(refusing)).toMatchObject({
    definition: { code: "person_email_not_sent" },
  });
  expect(await refusalBy(null)).toMatchObject({
    definition: { code: "email_not_configured" },
  });
});

test("an email is asked for and removed with the password, and goes with its person", async () => {
  const efua = await dashboard.join("staff", "Efua");
  await efua.send(`${await ask(efua, "efua@example.com")}/sure`);
  const { id } = await getPersonByName(dashboard.shop.live.database.read, efua.name);
  dashboard.shop.clock.advance(16 * MINUTE_MS);

  const asked = await efua.send(`${ME}/noemail`);
  const kept = await emailOf(efua);
  await efua.send(`${ME}/noemail`, { "confirm-password": PASSWORD });
  const gone = await emailOf(efua);
  await efua.send(`${await ask(efua, "efua@example.com")}/sure`);
  await dashboard.remove(efua.name);
  const rows = await dashboard.shop.live.database.readTogether((db) => findPeople(db, [id]));

  expect(asked.text).toContain("enter your password again");
  expect([kept, gone]).toEqual(["efua@example.com", null]);
  expect(rows.get(id)?.email).toBeNull();
});

test("a link is over after a day", async () => {
  const yao = await dashboard.join("staff", "Yao");
  const link = await ask(yao, "yao@example.com");
  dashboard.shop.clock.advance(DAY_MS);

  expect((await yao.send(`${link}/sure`)).status).toBe(404);
  expect(await emailOf(yao)).toBeNull();
});
