// The fault `gateways`: every call to a gateway goes wrong in every way, before and after its effect, in every
// story of a payment. Afterwards the shop's books and those of the gateway say the same.

import { isId } from "#kernel/id.ts";
import type { CallTerms, Gateway, GatewayAttempt } from "#payments/gateways/port.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import { simulatedGatewayOf } from "#sandbox/simulated-gateway/simulated.ts";

import { eventCounts, pass } from "../payments/scripted-shop.ts";
import { attempt } from "../sandbox/simulated-rig.ts";
import { mug } from "../support/cast.ts";
import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";
import { CallbackGateway } from "../vendors/callback-gateway.ts";
import {
  type Blow,
  blows,
  canStrike,
  type GatewayCall,
  gatewayCalls,
  strike,
} from "../vendors/struck-gateway.ts";
import { Chance, type Fault, type FaultOptions, type FaultReport, openExtent } from "./fault.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** How often a client repeats what was not answered. */
const TRIES = 6;
/** More attempts than any story makes. */
const ATTEMPTS_MAX = 8;
const TOKEN = "k3yr1ng";

const stories = ["paid", "declined", "cancelled", "late"] as const;
type Story = (typeof stories)[number];
const worlds = ["simulated", "callback"] as const;

/** One call that goes wrong in one story. */
export interface MatrixCase {
  readonly world: (typeof worlds)[number];
  readonly story: Story;
  readonly call: GatewayCall;
  readonly blow: Blow;
  readonly nth: number;
  readonly times: number;
}

/** Every case: each is a sentence of what goes wrong. */
export const everyCase: readonly MatrixCase[] = worlds.flatMap((world) =>
  stories.flatMap((story) =>
    gatewayCalls.flatMap((call) =>
      blows
        .filter((blow) => canStrike(call, blow))
        .flatMap((blow) =>
          [1, 2].flatMap((nth) =>
            [1, 3].map((times) => ({ world, story, call, blow, nth, times })),
          ),
        ),
    ),
  ),
);

export const gatewayMatrix: Fault = {
  name: "gateways",
  what: "every call to a gateway goes wrong in every way, in every story of a payment",
  short: { rounds: Math.ceil(everyCase.length / 10), minutes: 2 },
  long: { rounds: everyCase.length, minutes: 30 },
  run,
};

async function run({ seed, progress, ...extent }: FaultOptions): Promise<FaultReport> {
  const chance = new Chance(seed);
  const used = openExtent(extent);
  const cases = shuffled(everyCase, chance);
  const broken: string[] = [];
  let [rounds, struck] = [0, 0];
  for (; !used.isUsedUp(rounds) && rounds < cases.length; rounds += 1) {
    const one = cases[rounds];
    if (one === undefined) break;
    const seen = await playCase(one, chance);
    struck += seen.struck;
    broken.push(...seen.broken.map((sentence) => `${caseName(one)}: ${sentence}`));
    if (rounds % 50 === 49) progress(`${rounds + 1} cases, ${broken.length} broken`);
  }
  const figures = { seed, "cases in all": everyCase.length, cases: rounds, "calls struck": struck };
  return { figures, broken };
}

/** What a case is called. */
export function caseName({ world, story, call, blow, nth, times }: MatrixCase): string {
  return `${world}, ${story}: ${call} ${blow}, ${times} times from the ${nth}. call`;
}

function shuffled<T>(given: readonly T[], chance: Chance): T[] {
  const left = [...given];
  const drawn: T[] = [];
  while (left.length > 0) drawn.push(...left.splice(chance.below(left.length), 1));
  return drawn;
}

/** Plays a case to the end of its plan; returns what the books do not agree in. */
export async function playCase(
  one: MatrixCase,
  chance: Chance,
): Promise<{ readonly struck: number; readonly broken: string[] }> {
  await using world = await openWorld(one.world);
  const struck = strike(world.gateway, one);
  const life = new PaymentLife(world, chance);
  await life.live(one.story);
  return { struck: struck(), broken: await life.differences() };
}

interface World extends AsyncDisposable {
  readonly shop: TestShop;
  readonly gateway: Gateway;
  /** The gateway's own books, which nothing strikes. */
  readonly books: Pick<Gateway, "verify" | "findRefunds">;
  readonly currency: string;
  /** How a customer pays. */
  readonly way: Readonly<Record<string, unknown>>;
  /** The payer answers, and the gateway sends its notice or loses it. */
  answer(reference: string, answer: "approved" | "declined", isLost: boolean): Promise<void>;
}

function openWorld(name: MatrixCase["world"]): Promise<World> {
  return name === "simulated" ? openSimulatedWorld() : openCallbackWorld();
}

async function openSimulatedWorld(): Promise<World> {
  const shop = await openTestShop();
  const gateway = simulatedGatewayOf(shop.duka.shops.test);
  if (gateway === null) throw new Error("A test shop has the simulated gateway.");
  return {
    shop,
    gateway,
    books: booksOf(gateway),
    currency: "USD",
    way: { method: "gateway" },
    answer: async (reference, decision, isLost) => {
      const push = gateway.push.bind(gateway);
      if (isLost) gateway.push = async () => {};
      const failureCode = decision === "declined" ? "not_approved" : null;
      await gateway.play(reference, { decision, failureCode });
      gateway.push = push;
    },
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  };
}

async function openCallbackWorld(): Promise<World> {
  const gateway = new CallbackGateway(TOKEN);
  const shop = await openTestShop({ gateways: [gateway] });
  return {
    shop,
    gateway,
    books: booksOf(gateway),
    currency: "GHS",
    way: { method: "mobile_money", phone: "+233551234000" },
    answer: async (reference, answer, isLost) => {
      const { bytes } = gateway.answer(reference, answer);
      if (isLost) return;
      const url = `${shop.url}/hooks/test/callback/${TOKEN}`;
      await fetch(url, { method: "PUT", body: bytes });
    },
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  };
}

function booksOf(gateway: Gateway): World["books"] {
  return { verify: gateway.verify.bind(gateway), findRefunds: gateway.findRefunds.bind(gateway) };
}

/** One order and all that is paid for it. */
class PaymentLife {
  readonly #world: World;
  readonly #chance: Chance;
  #orderId = "";
  #keys = 0;

  constructor(world: World, chance: Chance) {
    this.#world = world;
    this.#chance = chance;
  }

  async live(story: Story): Promise<void> {
    await this.#order();
    await this.#pay();
    if (story === "cancelled") await this.#insist(`/v2/orders/${this.#orderId}/cancel`, {});
    await pass(this.#world.shop, story === "late" ? 3 * HOUR : 20);
    await this.#answer(story === "declined" ? "declined" : "approved");
    await pass(this.#world.shop, 2 * HOUR);
    if (story === "paid") await this.#refundTwice();
    await pass(this.#world.shop, 3 * DAY);
  }

  async #order(): Promise<void> {
    const { shop, currency } = this.#world;
    await shop.put("/v2/store", { currency });
    const { variantId } = await mug(shop);
    const placed = await shop.post("/v2/orders", {
      line_items: [{ variant_id: variantId, quantity: 2 }],
      customer: { email: "ada@example.com" },
      currency,
    });
    if (placed.status !== 201) throw new Error(placed.text);
    this.#orderId = placed.id;
  }

  #pay(): Promise<Answered> {
    return this.#insist("/v2/payments/initialize", {
      order_id: this.#orderId,
      ...this.#world.way,
    });
  }

  /** Repeats the request, with its key, as long as the shop does not answer it. */
  async #insist(path: string, body: Readonly<Record<string, unknown>>): Promise<Answered> {
    const { shop } = this.#world;
    this.#keys += 1;
    const headers = { "Idempotency-Key": `life-${this.#keys}` };
    for (let tries = 1; ; tries += 1) {
      const answered = await shop.post(path, body, { headers });
      if (answered.status < 500 || tries === TRIES) return answered;
      await pass(shop, 30);
    }
  }

  /** The payer answers whatever is open at the gateway. */
  async #answer(answer: "approved" | "declined"): Promise<void> {
    for (const { reference, state } of await this.#charges()) {
      if (state !== "pending") continue;
      await this.#world.answer(reference, answer, this.#chance.below(2) === 0);
    }
  }

  async #refundTwice(): Promise<void> {
    const path = `/v2/orders/${this.#orderId}/refunds`;
    await this.#insist(path, { amount: 10, reason: "requested_by_customer" });
    await pass(this.#world.shop, 10 * MINUTE);
    await this.#insist(path, { amount: 5, reason: "requested_by_customer" });
  }

  /** Everything that the gateway has in its books for the order. */
  async #charges(): Promise<Charge[]> {
    const { shop, gateway, books } = this.#world;
    const payments = await shop.get(`/v2/payments?order_id=${this.#orderId}`);
    const found: Charge[] = [];
    for (const index of payments.list("/data").keys()) {
      const paymentId = payments.string(`/data/${index}/id`);
      if (!isId("payment", paymentId)) throw new Error(`${paymentId} is no payment.`);
      for (let n = 1; n <= ATTEMPTS_MAX; n += 1) {
        const reference = gateway.newReference(paymentId, n);
        const made: GatewayAttempt = attempt({ gatewayReference: reference });
        const outcome = await books.verify(made, quiet);
        if (outcome.state === "not_found") continue;
        const listed = await books.findRefunds(made, quiet);
        const refunds = listed.kind === "found" ? listed.refunds : [];
        const takenMinor = outcome.state === "succeeded" ? outcome.amountMinor : 0;
        const returnedMinor = refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
        const shown = { status: payments.string(`/data/${index}/status`) };
        const counts = { takenMinor, returnedMinor, refunds: refunds.length };
        found.push({ paymentId, reference, state: outcome.state, ...counts, ...shown });
      }
    }
    return found;
  }

  /** Where the shop and the gateway do not agree at the end, or something is still open. */
  async differences(): Promise<string[]> {
    const { shop } = this.#world;
    const charges = await this.#charges();
    const order = await shop.get(`/v2/orders/${this.#orderId}`);
    const refunds = await shop.get(`/v2/refunds?order_id=${this.#orderId}`);
    const counts = await eventCounts(shop, this.#orderId);
    const takenMinor = sum(charges.map((charge) => charge.takenMinor));
    const returnedMinor = sum(charges.map((charge) => charge.returnedMinor));
    const shown = charges.map(({ reference, state, status }) => `${reference} ${state} ${status}`);
    const told: readonly (readonly [what: string, shop: unknown, gateway: unknown])[] = [
      ["paid", order.at("/paid_total_minor"), takenMinor],
      ["refunded", order.at("/refunded_total_minor"), returnedMinor],
      ["refunding", order.at("/refunding_total_minor"), returnedMinor],
      ["refunds", refunds.list("/data").length, sum(charges.map((charge) => charge.refunds))],
      [
        "order.paid",
        counts["order.paid"] ?? 0,
        order.at("/status") === "open" && takenMinor > 0 ? 1 : 0,
      ],
      ["order.refunded", counts["order.refunded"] ?? 0, refunds.list("/data").length],
    ];
    const kept = takenMinor - returnedMinor;
    return [
      ...told
        .filter(([, one, other]) => one !== other)
        .map(
          ([what, one, other]) =>
            `${what}: the shop says ${String(one)}, the gateway ${String(other)}`,
        ),
      ...(kept > Number(order.at("/total_minor")) ? [`${kept} is kept of an order`] : []),
      ...charges
        .filter((charge) => !isEnded(charge))
        .map((charge) => `${charge.paymentId} is ${charge.status}, the charge ${charge.state}`),
      ...(await Array.fromAsync(auditPayments(shop.test.database.read))).map((one) =>
        JSON.stringify(one),
      ),
    ].map((sentence) => `${sentence} (${shown.join(", ")})`);
  }
}

/** A charge in the books of the gateway, and the payment of the shop that it belongs to. */
interface Charge {
  readonly paymentId: string;
  readonly reference: string;
  readonly state: string;
  readonly takenMinor: number;
  readonly returnedMinor: number;
  readonly refunds: number;
  /** Of the payment. */
  readonly status: string;
}

/** Whether the payment says what became of the charge. One that nobody answered may be open at the gateway. */
function isEnded({ state, status }: Charge): boolean {
  if (state === "succeeded") return /^(succeeded|refunded|partially_refunded)$/.test(status);
  return /^(failed|expired|cancelled)$/.test(status);
}

/** Calls of the books themselves, of which nothing is saved. */
const quiet: CallTerms = {
  signal: new AbortController().signal,
  name: async () => {},
  keyed: async () => {},
};

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, minor) => total + minor, 0);
}
