// What goes wrong with a vendor goes wrong as planned: what the caller sees, and whether the call had its effect.

import { expect, test } from "bun:test";

import { everyFault, FaultEngine, faultName, type PlannedFault } from "#mocks/faults.ts";
import { VendorServer } from "#mocks/vendor-server.ts";

const CALL = "POST /charges";
const json = { "content-type": "application/json" };
const charged = { id: "ch_1", amount: 500, status: "paid", metadata: { order: "7" } };

/** A caller that waits for an answer that comes, and one that gives up on what never ends. */
const PATIENT_MS = 20_000;
const IMPATIENT_MS = 300;

async function openVendor() {
  const faults = new FaultEngine({
    rateLimit: { status: 429, headers: json, body: '{"error":"slow down"}' },
    broken: { status: 500, headers: json, body: '{"error":"broken"}' },
    amounts: new Set(["amount"]),
  });
  const effects: string[] = [];
  const server = new VendorServer(({ path, body }) =>
    faults.run(`POST ${path}`, async () => {
      effects.push(body);
      return { status: 200, headers: json, body: JSON.stringify(charged) };
    }),
  );
  await server.up();
  return {
    faults,
    effects,
    server,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** What a caller sees: the status and the bytes, or why there is no answer. */
async function ask(url: string, path = "/charges", patienceMs = PATIENT_MS): Promise<string> {
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetch(`${url}${path}`, { method: "POST", body: "amount=500", signal });
    const bytes = await response.bytes();
    const type = response.headers.get("content-type") ?? "";
    return `${response.status} ${type} ${new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)}`;
  } catch (error) {
    return error instanceof DOMException ? error.name : String(Object(error).code);
  }
}

const seen: Readonly<Record<string, string | RegExp>> = {
  hang: "TimeoutError",
  reset: "ECONNRESET",
  rate_limit: '429 application/json {"error":"slow down"}',
  broken: '500 application/json {"error":"broken"}',
  error_page: /^50[234] text\/html/,
  page: /^200 text\/html/,
  empty: "200 application/json ",
  cut: "ECONNRESET",
  drip: "TimeoutError",
  wrong_type: /^200 text\/plain \{"id":"ch_1"/,
  byte_order_mark: /^200 application\/json \u{feff}\{/u,
  text_amounts: /"amount":"500"/,
  wide_ids: /"id":9007199254740993,/,
  unknown_status: /"status":"on_the_moon"/,
  odd_metadata: /"metadata":(?:""|0)/,
};

test.each(everyFault.map((fault) => [faultName(fault), fault] as const))(
  "%s: the caller sees it, and the effect is there if it struck after it",
  async (_, planned) => {
    await using vendor = await openVendor();
    vendor.faults.plan(planned);
    const isEndless = planned.fault.kind === "hang" || planned.fault.kind === "drip";

    const answer = await ask(vendor.server.url, "/charges", isEndless ? IMPATIENT_MS : PATIENT_MS);
    const next = await ask(vendor.server.url);

    expect(answer).toMatch(seen[planned.fault.kind] ?? "never");
    expect(next).toBe(`200 application/json ${JSON.stringify(charged)}`);
    expect(vendor.effects).toHaveLength(planned.moment === "before" ? 1 : 2);
  },
);

test("a vendor that goes down refuses connections until it is up again", async () => {
  await using vendor = await openVendor();
  vendor.faults.plan({ moment: "before", fault: { kind: "refuse" } });

  const whileDown = [await ask(vendor.server.url), await ask(vendor.server.url)];
  await vendor.server.up();

  expect(whileDown).toEqual(["ECONNRESET", "ECONNREFUSED"]);
  expect(await ask(vendor.server.url)).toStartWith("200");
  expect(vendor.effects).toHaveLength(1);
});

test("a fault strikes the n-th call of its kind, once", async () => {
  await using vendor = await openVendor();
  vendor.faults.plan({ moment: "before", fault: { kind: "broken" } }, { call: CALL, nth: 2 });

  const answers = [];
  for (const path of ["/charges", "/refunds", "/charges", "/charges"]) {
    answers.push((await ask(vendor.server.url, path)).slice(0, 3));
  }

  expect(answers).toEqual(["200", "200", "500", "200"]);
  expect(vendor.faults.struck).toEqual([`${CALL}: before broken`]);
});

const quick: readonly PlannedFault[] = [
  { moment: "before", fault: { kind: "broken" } },
  { moment: "after", fault: { kind: "rate_limit" } },
];

async function struckBy(seed: number): Promise<readonly string[]> {
  await using vendor = await openVendor();
  vendor.faults.scatter({ seed, percent: 40, faults: quick });
  const answers = [];
  for (let n = 0; n < 40; n += 1) answers.push((await ask(vendor.server.url)).slice(0, 3));
  return answers;
}

test("faults at random are those of their seed", async () => {
  const [one, again, other] = [await struckBy(1), await struckBy(1), await struckBy(2)];

  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
  expect(new Set(one)).toEqual(new Set(["200", "429", "500"]));
});

test("no fault strikes after the end of faults", async () => {
  await using vendor = await openVendor();
  vendor.faults.scatter({ seed: 1, percent: 100 });
  vendor.faults.plan({ moment: "after", fault: { kind: "reset" } });
  vendor.faults.end();

  expect(await ask(vendor.server.url)).toStartWith("200");
});
