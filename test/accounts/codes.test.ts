// Codes: to whom they go, how long and how often they are valid, and what a stranger learns of them.

import { expect, test } from "bun:test";

import { resealHook } from "#accounts/hook/set-hook.ts";
import { newCode, waitForCode } from "#customers/sessions/code.ts";
import { forgetCodes } from "#customers/sessions/end-sessions.ts";
import { customerCodes, customerSessions } from "#customers/sessions/tables.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, realClock } from "#kernel/time.ts";
import { events, storedAnswers } from "#platform/database/tables.ts";
import { isSignedWith } from "#platform/net/signature.ts";
import { Resealing } from "#platform/vault/vault.ts";
import { auditEntries } from "#shop/audit/tables.ts";

import { atOnce, statuses } from "../support/at-once.ts";
import { ada, adaMensah } from "../support/cast.ts";
import type { Answered } from "../support/shop.ts";
import { rowsOf } from "../support/tables.ts";
import { until } from "../support/until.ts";
import {
  as,
  contactsIn,
  EMAIL,
  MAGIC,
  messageIn,
  openAccounts,
  openHook,
  PHONE,
  sharedAccounts,
  signIn,
  tokenOf,
} from "./sign-in.ts";

const shared = sharedAccounts();
const same = { "X-Request-Id": "same" };
const HOOK = "http://127.0.0.1:9/codes";
const SOMEONE = "+233201234567";

function seen({ status, text, headers }: Answered): unknown {
  const { date: _date, ...others } = Object.fromEntries(headers);
  return [status, text.replace(/csc_\w{22}/, "csc_"), others];
}

test("a stranger who asks for a code is answered alike for a known contact and for another", async () => {
  const { shop, key } = shared;
  const { email } = await adaMensah(shop);
  const { stranger } = contactsIn(shop);
  const ask = (of: string) =>
    shop.post("/v2/customer-sessions/code", { email: of }, { key, headers: same });

  const ofKnown = await ask(email);
  const ofOther = await ask(stranger);

  expect(ofKnown.status).toBe(202);
  expect(seen(ofOther)).toEqual(seen(ofKnown));
});

test("a wrong code is refused alike for a known contact, another, and one without a code", async () => {
  const { shop, key } = shared;
  const known = (await adaMensah(shop)).email;
  const [other, without] = [contactsIn(shop).stranger, contactsIn(shop).stranger];
  const give = (email: string) =>
    shop.post("/v2/customer-sessions", { email, code: "123456" }, { key, headers: same });
  for (const email of [known, other]) {
    await shop.post("/v2/customer-sessions/code", { email }, { key });
  }

  const answers = [await give(known), await give(other), await give(without)];

  expect(answers[0]).toMatchObject({ status: 422, code: "code_invalid" });
  expect(new Set(answers.map((answer) => JSON.stringify(seen(answer)))).size).toBe(1);
});

test("the fifth wrong code ends the right one", async () => {
  const { shop } = shared;
  const { email } = contactsIn(shop);
  await shop.post("/v2/customer-sessions/code", { email });
  const give = (code: string) => shop.post("/v2/customer-sessions", { email, code });
  for (const code of ["1", "2", "3", "4"]) await give(code.repeat(6));

  expect((await give(MAGIC)).status).toBe(201);
  await shop.post("/v2/customer-sessions/code", { email });
  for (const code of ["1", "2", "3", "4", "5"]) await give(code.repeat(6));
  expect((await give(MAGIC)).code).toBe("code_invalid");
});

test("a code is valid for ten minutes of the shop's clock, and a session for thirty days", async () => {
  await using opened = await openAccounts();
  const { shop } = opened;
  await shop.post("/v2/customer-sessions/code", { email: EMAIL });
  shop.clock.advance(10 * MINUTE_MS);
  const late = await shop.post("/v2/customer-sessions", { email: EMAIL, code: MAGIC });
  const token = await tokenOf(shop, { email: EMAIL });

  expect(late.code).toBe("code_invalid");
  shop.clock.advance(30 * DAY_MS - 1);
  expect((await shop.get("/v2/me", as(token))).status).toBe(200);
  shop.clock.advance(1);
  expect((await shop.get("/v2/me", as(token))).code).toBe("customer_session_invalid");
});

test("of two requests with one code at once, one signs in", async () => {
  const { shop } = shared;
  const { email } = contactsIn(shop);
  await shop.post("/v2/customer-sessions/code", { email });
  const before = (await rowsOf(shop.test.database.read, customerSessions)).length;

  const answers = await atOnce(3, () => shop.post("/v2/customer-sessions", { email, code: MAGIC }));

  expect(statuses(answers)).toEqual([201, 422, 422]);
  const after = await rowsOf(shop.test.database.read, customerSessions);
  expect(after).toHaveLength(before + 1);
});

test("a code of one mode signs in to no other", async () => {
  const { callOut, next } = openHook();
  await using opened = await openAccounts({ callOut });
  const { shop } = opened;
  const key = await shop.createKey({ mode: "live" });
  await shop.put("/v2/message-hook", { url: "https://hooks.example.org/codes" }, { key });
  await shop.post("/v2/customer-sessions/code", { phone: PHONE });
  const sent = next();
  await shop.post("/v2/customer-sessions/code", { phone: PHONE }, { key });
  const { code = "" } = messageIn(await sent).variables;

  const magic = await shop.post("/v2/customer-sessions", { phone: PHONE, code: MAGIC }, { key });
  const live = await shop.post("/v2/customer-sessions", { phone: PHONE, code }, { key });

  expect(code).not.toBe(MAGIC);
  expect(magic.code).toBe("code_invalid");
  expect(live.status).toBe(201);
  expect((await shop.get("/v2/me", as(live.string("/token")))).status).toBe(401);
});

test("a live shop without a way to send says which setting is missing, also for a magic contact", async () => {
  const { shop } = shared;
  const key = await shop.createKey({ mode: "live" });

  const email = await shop.post("/v2/customer-sessions/code", { email: EMAIL }, { key });
  const phone = await shop.post("/v2/customer-sessions/code", { phone: PHONE }, { key });

  expect(email).toMatchObject({ status: 409, code: "codes_not_configured" });
  expect(email.string("/detail")).toContain("DUKA_SMTP_URL");
  expect(phone.string("/detail")).toContain("/v2/message-hook");
});

test("the hook takes a signed message, and what it has is in no log, event, stored answer, entry or request", async () => {
  const lines: string[] = [];
  const { callOut, next } = openHook(500);
  const settings = { DUKA_LOG_LEVEL: "debug" };
  const options = { callOut, settings, writeLog: (line: string) => lines.push(line) };
  await using opened = await openAccounts(options);
  const { shop, key } = opened;
  const { secret } = Object((await shop.put("/v2/message-hook", { url: HOOK })).body);
  const sent = next();
  const headers = { "Idempotency-Key": "once" };
  await shop.post("/v2/customer-sessions/code", { phone: SOMEONE }, { key, headers });

  const call = await sent;
  const message = messageIn(call);
  const { code = "" } = message.variables;
  const given = { phone: SOMEONE, code };
  const first = await shop.post("/v2/customer-sessions", given, {
    key,
    headers: { "Idempotency-Key": "in" },
  });
  const again = await shop.post("/v2/customer-sessions", given, {
    key,
    headers: { "Idempotency-Key": "in" },
  });

  const nowSeconds = Math.floor(realClock.now() / 1000);
  const received = { headers: new Headers(call.headers), body: String(call.body), nowSeconds };
  expect(isSignedWith(secret, received)).toBeTrue();
  expect(call.timeoutMs).toBe(5_000);
  expect(message).toMatchObject({ channel: "sms", to: SOMEONE, template: "sign_in_code" });
  expect(message.text).toContain(code);
  expect(code).toMatch(/^[0-9]{6}$/);
  expect(again.text).toBe(first.text);
  const token = first.string("/token");
  await shop.get("/v2/me", as(token));
  const db = shop.test.database.read;
  const kept = JSON.stringify([
    lines,
    await rowsOf(db, events),
    await rowsOf(db, storedAnswers),
    await rowsOf(db, auditEntries),
    await rowsOf(db, customerCodes),
    await rowsOf(db, customerSessions),
    shop.test.requests
      .newest(() => true)
      .map(({ sent: body, answered }) => [String(body), answered]),
  ]);
  expect(kept).not.toContain(token.slice(4));
  expect(kept).not.toMatch(new RegExp(`\\b${code}\\b`));
  expect(lines.filter((line) => line.includes("A message was not sent."))).toHaveLength(1);
});

test("a rotation of the key seals the hook's secrets again, and ends the codes that it cannot find", async () => {
  const { callOut, next } = openHook();
  await using opened = await openAccounts({ callOut });
  const { shop } = opened;
  const { database } = shop.test;
  const secrets = [await shop.put("/v2/message-hook", { url: HOOK })];
  secrets.push(await shop.post("/v2/message-hook/rotate-secret"));
  await shop.post("/v2/customer-sessions/code", { email: EMAIL });
  const resealing = new Resealing(database.vault);

  await database.write(async (tx) => {
    await resealHook(tx, resealing);
    await forgetCodes(tx);
  });

  const sent = next();
  await shop.post("/v2/customer-sessions/code", { phone: SOMEONE });
  const { headers, body } = await sent;
  const nowSeconds = Math.floor(realClock.now() / 1000);
  const received = { headers: new Headers(headers), body: String(body), nowSeconds };
  const signs = secrets.map((answer) => isSignedWith(answer.string("/secret"), received));
  expect(resealing.resealed).toBe(2);
  expect(signs).toEqual([true, true]);
  const late = await shop.post("/v2/customer-sessions", { email: EMAIL, code: MAGIC });
  expect(late.code).toBe("code_invalid");
  expect((await shop.put("/v2/message-hook", { url: HOOK })).at("/secret")).toBeNull();
  expect((await shop.put("/v2/message-hook", { url: "ftp://x" })).status).toBe(422);
});

test("in test mode the code of another contact is in the inbox, and opens a session", async () => {
  const { shop, key } = shared;
  await shop.post("/v2/customer-sessions/code", { phone: SOMEONE }, { key });
  await shop.post("/v2/customer-sessions/code", { email: "kofi@shop.test" }, { key });
  const bodies = async (name: string) =>
    (await shop.get(`/v2/test/inbox?name=${name}`)).list("/data").map((one) => Object(one).body);
  await until(
    async () => (await bodies("mail")).length + (await bodies("messages")).length >= 2,
    "Two messages did not come.",
  );

  const [text] = await bodies("messages");
  const [mail] = await bodies("mail");
  const phoneCode = JSON.parse(text).variables.code;
  const emailCode = /^[0-9]{6}$/m.exec(mail)?.[0];

  const byPhone = await shop.post(
    "/v2/customer-sessions",
    { phone: SOMEONE, code: phoneCode },
    { key },
  );
  const byEmail = await shop.post(
    "/v2/customer-sessions",
    { email: "Kofi@Shop.test", code: emailCode },
    { key },
  );
  expect([byPhone.status, byEmail.status]).toEqual([201, 201]);
});

test("a contact is sent one code a minute and five an hour where limits hold", async () => {
  await using opened = await openAccounts();
  const { shop, key } = opened;
  await shop.put("/v2/store", { enforce_limits: true });
  const ask = (email = EMAIL) => shop.post("/v2/customer-sessions/code", { email }, { key });

  const first = await ask();
  const soon = await ask();
  const found: number[] = [];
  for (let count = 1; count <= 5; count += 1) {
    shop.clock.advance(MINUTE_MS);
    found.push((await ask()).status);
  }

  expect(first.status).toBe(202);
  expect(soon).toMatchObject({ status: 429, code: "rate_limited" });
  expect(soon.headers.get("retry-after")).toBe("60");
  expect(found).toEqual([202, 202, 202, 202, 429]);
  expect((await ask("kofi@example.com")).status).toBe(202);
});

test("a stranger at another address does not use up the codes of a contact, which gets twenty an hour in all", async () => {
  await using opened = await openAccounts({ settings: { DUKA_TRUSTED_PROXIES: "127.0.0.1" } });
  const { shop, key } = opened;
  await shop.put("/v2/store", { enforce_limits: true });
  const askFrom = async (network: number, times: number) => {
    const headers = { "X-Forwarded-For": `203.0.${network}.7` };
    const found: number[] = [];
    for (let count = 1; count <= times; count += 1) {
      shop.clock.advance(MINUTE_MS);
      const { status } = await shop.post(
        "/v2/customer-sessions/code",
        { email: EMAIL },
        { key, headers },
      );
      found.push(status);
    }
    return found;
  };

  const ofStranger = await askFrom(113, 6);
  const ofOwner = await askFrom(114, 1);
  const ofOthers = [await askFrom(115, 5), await askFrom(116, 5), await askFrom(117, 5)].flat();

  expect(ofStranger).toEqual([202, 202, 202, 202, 202, 429]);
  expect(ofOwner).toEqual([202]);
  expect(ofOthers.filter((status) => status === 202)).toHaveLength(14);
});

test("codes to phones above the shop's limit of a day are answered alike and not sent, and the merchant is told", async () => {
  const lines: string[] = [];
  const { callOut, calls } = openHook();
  const found: unknown[] = [];
  {
    const settings = { DUKA_LOG_LEVEL: "warn" };
    const writeLog = (line: string) => lines.push(line);
    await using opened = await openAccounts({ callOut, settings, writeLog });
    const { shop, key } = opened;
    await shop.put("/v2/message-hook", { url: HOOK });
    await shop.put("/v2/store", { enforce_limits: true, limits: { phone_codes_per_day: 2 } });
    const ask = async (phone: string) =>
      found.push((await shop.post("/v2/customer-sessions/code", { phone }, { key })).status);

    for (const nth of [1, 2, 3, 4]) await ask(`+23320123450${nth}`);
    found.push((await shop.get("/v2/waiting")).at("/withheld_codes"));
    shop.clock.advance(DAY_MS);
    await ask("+233201234501");
    found.push((await shop.get("/v2/waiting")).at("/withheld_codes"));
  }

  const [none, two] = [
    { count: 0, more: false },
    { count: 2, more: false },
  ];
  expect(found).toEqual([202, 202, 202, 202, two, 202, none]);
  expect(calls.map((call) => messageIn(call).to.at(-1))).toEqual(["1", "2", "1"]);
  expect(lines.filter((line) => line.includes("phone_codes_per_day"))).toHaveLength(1);
});

test("an address is sent sixty codes an hour", async () => {
  await using opened = await openAccounts({ settings: { DUKA_TRUSTED_PROXIES: "127.0.0.1" } });
  const { shop, key } = opened;
  await shop.put("/v2/store", { enforce_limits: true });
  const headers = { "X-Forwarded-For": "203.0.113.7" };
  const ask = (nth: number) =>
    shop.post("/v2/customer-sessions/code", { email: `${nth}@example.com` }, { key, headers });

  const answers = [];
  for (let nth = 0; nth <= 60; nth += 1) answers.push(await ask(nth));

  expect(statuses(answers)).toEqual([...Array.from({ length: 60 }, () => 202), 429]);
});

test("an address tries thirty codes in ten minutes, whoever is signed in there", async () => {
  await using opened = await openAccounts({ settings: { DUKA_TRUSTED_PROXIES: "127.0.0.1" } });
  const { shop, key } = opened;
  const token = await tokenOf(shop, { email: EMAIL });
  await shop.put("/v2/store", { enforce_limits: true });
  const headers = { "X-Forwarded-For": "203.0.113.7", ...as(token).headers };
  const guess = (nth: number) => {
    const body = { email: `${nth}@example.com`, code: "123456" };
    return shop.post("/v2/customer-sessions", body, { key, headers });
  };

  const answers = [];
  for (let nth = 0; nth <= 30; nth += 1) answers.push(await guess(nth));

  expect(answers.slice(0, 30).every(({ code }) => code === "code_invalid")).toBeTrue();
  expect(answers.at(-1)).toMatchObject({ status: 429, code: "rate_limited" });
});

test("a customer changes their record as often as they like: only what carries a code is a try of one", async () => {
  await using opened = await openAccounts({ settings: { DUKA_TRUSTED_PROXIES: "127.0.0.1" } });
  const { shop, key } = opened;
  const token = await tokenOf(shop, { email: EMAIL });
  await shop.put("/v2/store", { enforce_limits: true });
  const headers = { "X-Forwarded-For": "203.0.113.7", ...as(token).headers };
  const change = (body: object) => shop.put("/v2/me", body, { key, headers });

  const thirtyOne = (body: (nth: number) => object) =>
    Promise.all(Array.from({ length: 31 }, (_, nth) => change(body(nth))));

  const changes = await thirtyOne((nth) => ({ name: `Ada ${nth}` }));
  const guesses = await thirtyOne((nth) => ({ email: `${nth}@example.com`, code: "123456" }));

  expect(statuses(changes)).toEqual(Array.from({ length: 31 }, () => 200));
  expect(guesses.filter(({ code }) => code === "code_invalid")).toHaveLength(30);
  expect(guesses.filter(({ code }) => code === "rate_limited")).toHaveLength(1);
});

test("the wait for a code keeps both limits, whatever was asked before", () => {
  for (let round = 0; round < 300; round += 1) {
    const taken: number[] = [];
    const network = null;
    for (let now = 0; now < 4 * HOUR_MS; now += Math.ceil(Math.random() * 3 * MINUTE_MS)) {
      const waitMs = waitForCode(
        taken.filter((at) => at > now - HOUR_MS).map((at) => ({ at, network })),
        { at: now, network },
      );
      if (waitMs === 0) taken.push(now);
      expect(waitMs).toBeLessThanOrEqual(HOUR_MS);
    }
    for (const [nth, at] of taken.entries()) {
      expect(at - (taken[nth - 1] ?? -HOUR_MS)).toBeGreaterThanOrEqual(MINUTE_MS);
      expect(at - (taken[nth - 5] ?? -HOUR_MS)).toBeGreaterThanOrEqual(HOUR_MS);
    }
  }
});

test("a code has its digits, and no word of chance makes one likelier", () => {
  const words = [2n ** 64n - 1n, 2n ** 64n - (2n ** 64n % 10n ** 6n), 7n];

  expect(newCode(6, () => words.shift() ?? 0n)).toBe("000007");
  expect(newCode(12, () => 7n)).toBe("000000000007");
  expect(new Set(Array.from({ length: 50 }, () => newCode(6))).size).toBeGreaterThan(45);
});

test("a body names one contact and one way", async () => {
  const { shop, key } = shared;
  const { email, phone } = contactsIn(shop);
  const faultsOf = async (body: object) =>
    (await shop.post("/v2/customer-sessions", body, { key: shop.key })).faults;

  expect((await shop.post("/v2/customer-sessions/code", {}, { key })).faults).toEqual([
    "#/email required",
    "#/phone required",
  ]);
  expect(await faultsOf({ email, phone, code: MAGIC })).toEqual(["#/phone conflicting_fields"]);
  expect(await faultsOf({ email })).toEqual(["#/code required"]);
  expect((await signIn(shop, { email })).headers.get("location")).toBe(
    "/v2/customer-sessions/current",
  );
  const stranger = await shop.post(
    "/v2/customer-sessions",
    { customer_id: await ada(shop) },
    { key },
  );
  expect(stranger.faults).toEqual(["#/customer_id not_allowed_for_public_key"]);
});
