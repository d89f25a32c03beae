// A code belongs to the browser that asked for it, and grows with the wrong ones that were given for its contact, so that
// guessing is hopeless and shuts no customer out.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { digitsAfter, networkShare, spellCode, strangersPart } from "#customers/sessions/code.ts";
import { customerChallenges, customerCodes } from "#customers/sessions/tables.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#kernel/time.ts";

import { atOnce, statuses } from "../support/at-once.ts";
import type { Answered, TestShop } from "../support/shop.ts";
import { rowsOf } from "../support/tables.ts";
import { contactsIn, MAGIC, messageIn, openAccounts, openHook, sharedAccounts } from "./sign-in.ts";

const shared = sharedAccounts();
const HOOK = "http://127.0.0.1:9/codes";
const SOMEONE = "+233201234567";

interface Asked {
  readonly code: string;
  readonly challenge: string;
  readonly digits: number;
  readonly text: string;
}

/** A shop whose codes to phones are read at its hook. */
async function openPhones() {
  const { callOut, next, calls } = openHook();
  const opened = await openAccounts({
    callOut,
    settings: { DUKA_TRUSTED_PROXIES: "127.0.0.1", DUKA_RATE_LIMIT_PER_MINUTE: "0" },
  });
  const { shop } = opened;
  await shop.put("/v2/message-hook", { url: HOOK });
  const ask = async (phone = SOMEONE): Promise<Asked> => {
    const sent = next();
    const answer = await shop.post("/v2/customer-sessions/code", { phone });
    const { variables, text } = messageIn(await sent);
    const [challenge, digits] = [answer.string("/challenge"), answer.number("/digits")];
    return { code: variables["code"] ?? "", challenge, digits, text };
  };
  return { ...opened, ask, calls };
}

function give(shop: TestShop, body: object, phone = SOMEONE): Promise<Answered> {
  return shop.post("/v2/customer-sessions", { phone, ...body });
}

/** Gives wrong codes, each with a challenge of its own making, as many as they take. */
async function fail(opened: Awaited<ReturnType<typeof openPhones>>, times: number): Promise<void> {
  for (let left = times; left > 0; left -= 5) {
    const { challenge, code } = await opened.ask();
    const wrong = code.replaceAll(/[0-9]/g, (digit) => String((Number(digit) + 1) % 10));
    for (let nth = 0; nth < Math.min(left, 5); nth += 1) {
      expect((await give(opened.shop, { code: wrong, challenge })).code).toBe("code_invalid");
    }
    opened.shop.clock.advance(10 * MINUTE_MS);
  }
}

describe("a code with its challenge", () => {
  test("signs in after a stranger has tried five others and asked for another one", async () => {
    const { shop } = shared;
    const { email } = contactsIn(shop);
    const { body } = await shop.post("/v2/customer-sessions/code", { email });
    await shop.post("/v2/customer-sessions/code", { email });
    for (const digit of ["1", "2", "3", "4", "5", "6"]) {
      await shop.post("/v2/customer-sessions", { email, code: digit.repeat(6) });
    }

    const bare = await shop.post("/v2/customer-sessions", { email, code: MAGIC });
    const { challenge } = Object(body);
    const own = await shop.post("/v2/customer-sessions", { email, code: MAGIC, challenge });

    expect(bare.code).toBe("code_invalid");
    expect(own.status).toBe(201);
  });

  test("has five tries, and is used up by the right one", async () => {
    const { shop } = shared;
    const { email } = contactsIn(shop);
    const ask = async () =>
      (await shop.post("/v2/customer-sessions/code", { email })).string("/challenge");
    const [first, second] = [await ask(), await ask()];
    const signIn = (challenge: string, code = MAGIC) =>
      shop.post("/v2/customer-sessions", { email, code, challenge });
    for (const digit of ["1", "2", "3", "4", "5"]) await signIn(first, digit.repeat(6));

    const found = [await signIn(first), await signIn(second), await signIn(second)];

    expect(found.map(({ status }) => status)).toEqual([422, 201, 422]);
  });

  test("of another contact, an unknown one, and one of another form are refused", async () => {
    const { shop } = shared;
    const { email, stranger } = contactsIn(shop);
    await shop.post("/v2/customer-sessions/code", { email });
    const other = await shop.post("/v2/customer-sessions/code", { email: stranger });
    const signIn = (challenge: string) =>
      shop.post("/v2/customer-sessions", { email, code: MAGIC, challenge });

    const foreign = await signIn(other.string("/challenge"));
    const unknown = await signIn(`csc_${"0".repeat(22)}`);
    const malformed = await signIn("csc_short");

    expect([foreign.code, unknown.code]).toEqual(["code_invalid", "code_invalid"]);
    expect(malformed.faults).toEqual(["#/challenge invalid_format"]);
  });

  test("proves another contact of a customer who is signed in", async () => {
    const { shop } = shared;
    const { email, phone } = contactsIn(shop);
    const { challenge } = Object((await shop.post("/v2/customer-sessions/code", { email })).body);
    const signedIn = await shop.post("/v2/customer-sessions", { email, code: MAGIC, challenge });
    const asked = await shop.post("/v2/customer-sessions/code", { phone });
    const headers = { "Customer-Token": signedIn.string("/token") };
    const change = (named: unknown) =>
      shop.put("/v2/me", { phone, code: MAGIC, challenge: named }, { headers });

    const foreign = await change(challenge);
    const own = await change(asked.at("/challenge"));

    expect(foreign.code).toBe("code_invalid");
    expect(own.at("/phone")).toBe(phone);
  });

  test("is tried five times, however many requests come at once", async () => {
    const opened = await openPhones();
    await using shop = opened.shop;
    const { code, challenge } = await opened.ask();
    const wrong = code === "123456" ? "654321" : "123456";

    await atOnce(8, () => give(shop, { code: wrong, challenge }));

    const [row] = await rowsOf(shop.test.database.read, customerChallenges);
    const [contact] = await rowsOf(shop.test.database.read, customerCodes);
    expect([row?.tries, contact?.failures]).toEqual([5, 5]);
    expect((await give(shop, { code, challenge })).code).toBe("code_invalid");
  });

  test("is not sent by the shop that signs a customer in by its own login", async () => {
    const { shop } = shared;
    const { email } = contactsIn(shop);
    const asked = await shop.post("/v2/customer-sessions/code", { email });
    const signedIn = await shop.post("/v2/customer-sessions", { email, code: MAGIC });

    const answer = await shop.post("/v2/customer-sessions", {
      customer_id: signedIn.string("/customer/id"),
      challenge: asked.string("/challenge"),
    });

    expect(answer.faults).toEqual(["#/challenge conflicting_fields"]);
  });
});

test("nothing of the codes of a customer is left when the customer is erased", async () => {
  const opened = await openPhones();
  await using shop = opened.shop;
  const { code, challenge } = await opened.ask();
  const signedIn = await give(shop, { code, challenge });
  await opened.ask();
  const db = shop.test.database.read;
  const kept = async () => [
    (await rowsOf(db, customerCodes)).length,
    (await rowsOf(db, customerChallenges)).length,
  ];
  const before = await kept();

  await shop.post(`/v2/customers/${signedIn.string("/customer/id")}/erase`);

  expect([before, await kept()]).toEqual([
    [1, 1],
    [0, 0],
  ]);
});

describe("the next code of a contact", () => {
  test("has eight digits after twenty wrong ones, in fours to people, and signs in with its spaces", async () => {
    const opened = await openPhones();
    await using shop = opened.shop;
    await fail(opened, 20);

    const { code, digits, text, challenge } = await opened.ask();
    const spelled = `${code.slice(0, 4)} ${code.slice(4)}`;

    expect([digits, code.length]).toEqual([8, 8]);
    expect(text).toContain(spelled);
    expect((await give(shop, { code: ` ${spelled}`, challenge })).status).toBe(201);
    expect((await opened.ask()).digits).toBe(6);
  });

  test("has eight digits when many were asked for at once, which could each be tried", async () => {
    const opened = await openPhones();
    await using _ = opened.shop;
    const lengths: number[] = [];
    for (let nth = 0; nth < 5; nth += 1) lengths.push((await opened.ask()).digits);

    expect(lengths).toEqual([6, 6, 6, 8, 8]);
  });

  test("has six digits again thirty days after the last wrong one", async () => {
    const opened = await openPhones();
    await using shop = opened.shop;
    await fail(opened, 20);
    shop.clock.advance(30 * DAY_MS - 20 * MINUTE_MS);
    const before = await opened.ask();
    shop.clock.advance(20 * MINUTE_MS);

    const after = await opened.ask();

    expect([before.digits, after.digits]).toEqual([8, 6]);
  });

  test("stays hopeless to guess, whatever is asked and tried: fewer than 30 meet six digits, at most 110 eight", () => {
    const acts = fc.array(fc.constantFrom("ask", "own", "bare", "end"), { maxLength: 400 });
    fc.assert(
      fc.property(acts, (steps) => {
        const met = { 6: 0, 8: 0, 12: 0 };
        let failures = 0;
        let bare = 0;
        let live: { digits: 6 | 8 | 12; tries: number }[] = [];
        for (const step of steps) {
          const [newest] = live;
          if (step === "ask") {
            const left = live.reduce((sum, { tries }) => sum + 5 - tries, newest ? 5 - bare : 0);
            live = [{ digits: digitsAfter(failures + left), tries: 0 }, ...live];
            bare = 0;
          } else if (step === "end") live = live.slice(0, -1);
          else if (step === "bare" && newest !== undefined && bare < 5) {
            bare += 1;
            failures += 1;
            met[newest.digits] += 1;
          } else if (step === "own") {
            const tried = live.find(({ tries }) => tries < 5);
            if (tried === undefined) continue;
            tried.tries += 1;
            failures += 1;
            met[tried.digits] += 1;
          }
        }
        expect(met[6]).toBeLessThan(30);
        expect(met[8]).toBeLessThanOrEqual(110);
      }),
    );
  });

  test("is spelled in fours if it is long", () => {
    expect(["123456", "12345678", "123456789012"].map(spellCode)).toEqual([
      "123456",
      "1234 5678",
      "1234 5678 9012",
    ]);
  });
});

describe("where limits hold", () => {
  const from = (network: number) => ({ "X-Forwarded-For": `203.0.${network}.7` });

  async function openLimited(limits: object) {
    const opened = await openPhones();
    await opened.shop.put("/v2/store", { enforce_limits: true, limits });
    const ask = (phone: string, network: number) =>
      opened.shop.post(
        "/v2/customer-sessions/code",
        { phone },
        { key: opened.key, headers: from(network) },
      );
    return { ...opened, ask, sentCode: opened.ask };
  }

  test("a contact that others ask codes for is sent one to a network that had none this hour, up to forty", async () => {
    const { shop, ask } = await openLimited({});
    await using _ = shop;
    const found: number[] = [];
    for (let network = 1; network <= 45; network += 1)
      found.push((await ask(SOMEONE, network)).status);

    const another = await ask(SOMEONE, 1);
    shop.clock.advance(HOUR_MS);

    expect(found.filter((status) => status === 202)).toHaveLength(40);
    expect(found.indexOf(429)).toBe(40);
    expect(another.status).toBe(429);
    expect((await ask(SOMEONE, 99)).status).toBe(202);
  });

  test("strangers never take the last fifth of a day's codes, which is for customers", async () => {
    const { shop, ask, sentCode, calls } = await openLimited({ phone_codes_per_day: 10 });
    await using _ = shop;
    const { code, challenge } = await sentCode();
    await give(shop, { code, challenge });
    for (let nth = 10; nth < 30; nth += 1) await ask(`+2332012345${nth}`, nth);
    shop.clock.advance(MINUTE_MS);

    const answer = await ask(SOMEONE, 1);
    await shop.duka.stop();

    const receivers = calls.map((call) => messageIn(call).to);
    expect([answer.status, receivers.length, receivers.at(-1)]).toEqual([202, 9, SOMEONE]);
  });

  test("a network that had its share of a day gets no more once half of the strangers' part is gone", async () => {
    const { shop, ask, calls } = await openLimited({ phone_codes_per_day: 50 });
    await using _ = shop;
    for (let nth = 100; nth < 140; nth += 1) await ask(`+233201234${nth}`, 1);
    const ofOne = calls.length;
    await ask("+233201234999", 2);
    await shop.duka.stop();

    expect([ofOne, calls.length]).toEqual([20, 21]);
  });

  test("a limit of a few codes is for strangers alone, and a network has at least one contact's five", () => {
    expect([0, 1, 4, 5, 500].map(strangersPart)).toEqual([0, 1, 4, 4, 400]);
    expect([0, 1, 500].map(networkShare)).toEqual([5, 5, 40]);
  });

  test("codes to emails above the shop's limit of a day are answered alike and not sent", async () => {
    await using opened = await openAccounts();
    const { shop, key } = opened;
    await shop.put("/v2/store", { enforce_limits: true, limits: { email_codes_per_day: 1 } });
    const ask = (email: string) => shop.post("/v2/customer-sessions/code", { email }, { key });

    const answers = [await ask("ama@shop.test"), await ask("kofi@shop.test")];

    expect(statuses(answers)).toEqual([202, 202]);
    expect((await shop.get("/v2/waiting")).at("/withheld_codes")).toEqual({
      count: 1,
      more: false,
    });
  });
});
