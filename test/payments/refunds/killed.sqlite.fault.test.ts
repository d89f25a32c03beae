// A program that is killed (SIGKILL) again and again while staff ask for refunds and an owner decides. What was
// acknowledged stays, no money leaves twice, and staff give back no more than their limit.

import { expect, test } from "bun:test";

import { openRunningDuka, runDuka, type RunningDuka } from "../../support/running-duka.ts";
import { runs } from "../../support/runs.ts";
import { openScratchFolder } from "../../support/scratch.ts";

/** The number of kills. */
const KILLS = runs(3);
const CLIENTS = 6;
/** Refunds between two kills. */
const REFUNDS_PER_LIFE = 10;
const LIMIT = 15;
/** Of a paid order of 12.50. */
const AMOUNTS = [2, 5, 12.5];
const DECISIONS = ["approve", "decline", null] as const;

interface Refund {
  readonly id: string;
  readonly status: string;
  readonly approval: string | null;
  readonly amount: number;
}

interface Asked {
  readonly amount: number;
  readonly decision: (typeof DECISIONS)[number];
}

/** The shop across its lives: requests wait while there is none, and those without an answer are sent again. */
class Lives {
  /** What became of each refund that was acknowledged, by its id. */
  readonly asked = new Map<string, Asked>();
  isOver = false;
  #life = Promise.withResolvers<RunningDuka>();
  #awaited = { count: 0, reached: () => {} };

  begin(duka: RunningDuka): void {
    this.#life.resolve(duka);
  }

  end(): void {
    this.#life = Promise.withResolvers<RunningDuka>();
  }

  /** Resolves once so many refunds more were acknowledged. */
  next(count: number): Promise<void> {
    return new Promise((reached) => (this.#awaited = { count, reached }));
  }

  note(id: string, asked: Asked): void {
    this.asked.set(id, asked);
    this.#awaited.count -= 1;
    if (this.#awaited.count === 0) this.#awaited.reached();
  }

  async post<T>(path: string, key: string, body: Readonly<Record<string, unknown>>): Promise<T> {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    for (;;) {
      const duka = await this.#life.promise;
      const answer = await duka.request("POST", path, { key, body, headers }).catch(() => null);
      const text = (await answer?.text().catch(() => null)) ?? null;
      if (answer === null || text === null) continue;
      expect([path, answer.ok, text]).toEqual([path, true, text]);
      return JSON.parse(text);
    }
  }
}

interface Keys {
  readonly owner: string;
  readonly staff: string;
  readonly variantId: string;
}

/** One client: an order, its payment, a refund that staff ask for, and what the owner says. */
async function refundOnce(lives: Lives, { owner, staff, variantId }: Keys, nth: number) {
  const amount = AMOUNTS[nth % AMOUNTS.length] ?? 0;
  const decision = DECISIONS[Math.floor(nth / AMOUNTS.length) % DECISIONS.length] ?? null;
  const order = await lives.post<{ id: string }>("/v2/orders", owner, {
    line_items: [{ variant_id: variantId, quantity: 1 }],
    payment_method: "card",
  });
  const body = { order_id: order.id, method: "card", card_token: "pm_card_visa" };
  const payment = await lives.post<{ status: string }>("/v2/payments/initialize", owner, body);
  // A payment whose call a kill cut off is asked for later.
  if (payment.status !== "succeeded") return;
  const made = await lives.post<{ refunds: readonly Refund[] }>(
    `/v2/orders/${order.id}/refunds`,
    staff,
    { amount, above_limit: "ask" },
  );
  const [refund] = made.refunds;
  if (refund === undefined) throw new Error("no refund");
  const isAsked = refund.approval === "asked";
  if (isAsked && decision !== null) {
    await lives.post(`/v2/refunds/${refund.id}/${decision}`, owner, {});
  }
  lives.note(refund.id, { amount, decision: isAsked ? decision : "approve" });
}

async function allRefunds(duka: RunningDuka, key: string): Promise<Refund[]> {
  const found: Refund[] = [];
  for (let query: string | null = ""; query !== null;) {
    const answer: Response = await duka.request("GET", `/v2/refunds?limit=100${query}`, { key });
    const page: { data: Refund[]; next_cursor: string | null } = JSON.parse(await answer.text());
    found.push(...page.data);
    query = page.next_cursor === null ? null : `&cursor=${page.next_cursor}`;
  }
  return found;
}

const endOf = { approve: "succeeded", decline: "cancelled" } as const;

test("however often the program is killed, a refund that waits is sent once it is approved, once", async () => {
  using scratch = openScratchFolder();
  const terms = { folder: scratch.path };
  await using programs = new AsyncDisposableStack();
  const start = async () => programs.use(await openRunningDuka(terms));
  let duka = await start();
  const owner = duka.key;
  const lives = new Lives();
  lives.begin(duka);
  await duka.request("PUT", "/v2/store", { key: owner, body: { refund_limit: LIMIT } });
  const scopes = ["orders:write", "payments:write", "payments:read"];
  const made = await lives.post<{ key: string }>("/v2/keys", owner, { name: "Staff", scopes });
  const mug = await lives.post<{ variants: { id: string }[] }>("/v2/products", owner, {
    name: "Mug",
    price: 12.5,
    stock: 100_000,
  });
  const keys = { owner, staff: made.key, variantId: mug.variants[0]?.id ?? "" };
  let nth = 0;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!lives.isOver) await refundOnce(lives, keys, nth++);
  });

  for (let kill = 0; kill < KILLS; kill += 1) {
    await lives.next(REFUNDS_PER_LIFE);
    lives.end();
    await duka.end("SIGKILL");
    duka = await start();
    lives.begin(duka);
  }
  lives.isOver = true;
  await Promise.all(clients);
  // What was sent and not answered is asked for again within the hours after.
  await lives.post("/v2/test/clock/advance", owner, { seconds: 7_200 });

  const refunds = await allRefunds(duka, owner);
  const expected = refunds.map(({ id, amount }) => {
    const asked = lives.asked.get(id);
    const decision = asked?.decision ?? null;
    return [id, asked?.amount ?? amount, decision === null ? "needs_approval" : endOf[decision]];
  });
  expect(refunds.map(({ id, amount, status }) => [id, amount, status])).toEqual(expected);
  expect(refunds).toHaveLength(lives.asked.size);
  const unasked = refunds.filter(({ approval }) => approval === null);
  const given = unasked.reduce((sum, { amount }) => sum + amount, 0);
  expect(given).toBeGreaterThan(0);
  expect(given).toBeLessThanOrEqual(LIMIT);
  expect(new Set(refunds.map(({ status }) => status)).size).toBe(3);
  await duka.end("SIGTERM");
  expect(await runDuka(["check"], terms)).toMatchObject({ code: 0 });
}, 120_000);
