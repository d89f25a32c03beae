// The live cases hold against the faces of their vendors: what a person's test account answers is compared with these.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import { openPaystackFace } from "#mocks/paystack/paystack-face.ts";
import { openStripeFace, type StripeFace } from "#mocks/stripe/stripe-face.ts";
import { paystack } from "#payments/gateways/paystack/vendor.ts";
import { stripe } from "#payments/gateways/stripe/vendor.ts";

import { openScratchFolder } from "../../support/scratch.ts";
import { contradictions } from "./contradictions.ts";
import { paystackCases, paystackCurrencies } from "./paystack-cases.ts";
import { ageOf, readRecordings, writeRecordings } from "./recordings.ts";
import { type CaseResult, runLive } from "./run-live.ts";
import { stripeCases } from "./stripe-cases.ts";

const print = () => {};

/** The bank disputes what the card that asks for it has paid. */
function disputeDue({ account, dashboard }: StripeFace): void {
  for (const { id, payer, charge } of account.intents.all()) {
    if (charge !== null && payer?.isDisputed === true && account.disputesOf(charge).length === 0)
      dashboard.dispute(id);
  }
}

async function runAtStripe(
  { hasPerson }: { readonly hasPerson: boolean } = { hasPerson: true },
): Promise<readonly CaseResult[]> {
  await using face = await openStripeFace();
  const act = async (_: string, url: string) => {
    const id = new URL(url).pathname.split("/").at(-1) ?? "";
    await (url.includes("/3ds/")
      ? face.answerBank(id, "approve")
      : face.payOnPage(id, "pm_card_visa"));
  };
  const outside = {
    now: () => face.account.now(),
    pause: async (ms: number) => {
      face.pass(ms);
      disputeDue(face);
    },
    askPerson: hasPerson ? act : null,
  };
  const account = { vendor: stripe, secret: face.secret, address: face.server.url };
  return await runLive({ account, cases: stripeCases, outside, print });
}

async function runAtPaystack(
  currency: (typeof paystackCurrencies)[number],
): Promise<readonly CaseResult[]> {
  await using face = await openPaystackFace({});
  const outside = {
    now: () => face.account.now(),
    pause: async (ms: number) => face.pass(ms),
    askPerson: async () => {
      const [open] = [...face.account.transactions.values()].toReversed();
      face.payOnPage(open?.reference ?? "", "pm_card_visa");
    },
  };
  const account = { vendor: paystack, secret: face.secret, address: face.server.url };
  return await runLive({ account, cases: paystackCases(currency), outside, print });
}

const notHeld = (results: readonly CaseResult[]) =>
  results.filter(({ state }) => state !== "held").map(({ name, state }) => `${name} ${state}`);

test("every live case of Stripe holds against its face", async () => {
  expect(notHeld(await runAtStripe())).toEqual([]);
});

test.each([...paystackCurrencies])(
  "every live case of Paystack in %s holds against its face",
  async (currency) => {
    expect(notHeld(await runAtPaystack(currency))).toEqual([]);
  },
);

test("cases that need a person are left out where none is there", async () => {
  expect(notHeld(await runAtStripe({ hasPerson: false }))).toEqual([
    "page-paid left_out",
    "bank-asks left_out",
  ]);
});

test("a case that fails says so, and is not recorded", async () => {
  await using face = await openStripeFace();
  const lines: string[] = [];

  const results = await runLive({
    account: { vendor: stripe, secret: "sk_test_AnotherAccount1", address: face.server.url },
    cases: stripeCases.filter(({ name }) => name === "unknown-reference"),
    outside: { now: () => face.account.now(), pause: async () => {}, askPerson: null },
    print: (line) => void lines.push(line),
  });

  expect(results).toMatchObject([{ state: "failed", recording: null }]);
  expect(lines.at(-1)).toStartWith("FAILED");
});

describe("recordings", () => {
  test("are a file for each case, without what names the buyer", async () => {
    using folder = openScratchFolder();
    const results = await runAtPaystack("GHS");

    writeRecordings(folder.path, results);

    const read = readRecordings(folder.path, "paystack");
    expect(read.map((one) => one.case).toSorted()).toEqual(
      results.map(({ name }) => name).toSorted(),
    );
    const text = JSON.stringify(read);
    expect(text).toContain('"POST /refund"');
    expect(text).not.toContain("buyer@example.com");
    expect(text).not.toContain("551234987");
  });

  test("are those of the vendor's last day", () => {
    using folder = openScratchFolder();
    const terms = { vendor: "stripe", case: "refunds", api_version: null, exchanges: [] };
    const on = (recorded_on: string) => ({ ...terms, recorded_on });
    const result = { name: "refunds", state: "held" } as const;
    for (const day of ["2026-11-23", "2026-02-01"]) {
      writeRecordings(folder.path, [{ ...result, recording: on(day) }]);
    }

    expect(readRecordings(folder.path, "stripe")).toEqual([on("2026-11-23")]);
    expect(readRecordings(folder.path, "paystack")).toEqual([]);
  });

  test("are to be made anew after half a year", () => {
    const old = { vendor: "stripe", case: "refunds", api_version: null, exchanges: [] };
    const recordings = [{ ...old, recorded_on: "2026-01-01" }];

    expect(ageOf(recordings, Date.parse("2026-06-01"))).toBeNull();
    expect(ageOf(recordings, Date.parse("2026-07-01"))).toBe(
      "The recordings of stripe are of 2026-01-01: make them anew.",
    );
  });
});

/** What vendors answered once, which their faces must not contradict; none until a person has recorded. */
const folder = join(import.meta.dir, "../recordings");

describe.each([
  ["stripe", runAtStripe],
  ["paystack", () => runAtPaystack("GHS")],
] as const)("the face of %s", (vendor, run) => {
  const recordings = readRecordings(folder, vendor);
  const age = ageOf(recordings, Date.now());
  if (age !== null) process.emitWarning(age);

  test.each(recordings)("does not contradict the recording of $case", async (recording) => {
    const own = (await run()).find(({ name }) => name === recording.case)?.recording;

    expect(
      own === undefined || own === null ? ["no recording"] : contradictions(own, recording),
    ).toEqual([]);
  });
});
