// The life of an order at a gateway of which some calls go wrong, and where the books differ at its end.

import { isId } from "#kernel/id.ts";
import type { Gateway, GatewayAttempt, GatewayCallTerms } from "#payments/port/gateway.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import { simulatedGatewayOf } from "#sandbox/simulated-gateway/simulated.ts";

import { eventCounts, pass } from "../payments/scripted-shop.ts";
import { attempt } from "../sandbox/simulated-rig.ts";
import { mug } from "../support/cast.ts";
import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";
import { CallbackGateway } from "../vendors/callback-gateway.ts";
import type { GatewayCall } from "../vendors/struck-gateway.ts";
import type { Chance } from "./fault.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** How often a client repeats what was not answered. */
const TRIES = 6;
/** More attempts than any story makes. */
const ATTEMPTS_MAX = 8;
const TOKEN = "k3yr1ng";
/** What the simulated gateway asks of this phone. */
const CODE = "123456";
const byCode = { method: "mobile_money", phone: "+233551234085" };

export const worlds = ["simulated", "callback"] as const;

/**
 * What happens in a story, and which calls of a gateway it has. Lists of refunds are read where a refund had no
 * answer, and a code is asked for by the simulated gateway alone.
 */
export const callsOf = {
  /** Paid, and given back in two parts. */
  paid: ["initiate", "verify", "refund", "findRefunds"],
  declined: ["initiate", "verify"],
  /** The order is cancelled while the payer decides, who then pays. */
  "cancelled early": ["initiate", "verify", "refund", "findRefunds"],
  /** The order is cancelled after it was paid. */
  "cancelled late": ["refund", "findRefunds"],
  /** The payer answers when the attempt has ended. */
  late: ["initiate", "verify", "cancel"],
  /** The payer enters a code. */
  code: ["initiate", "submitAction", "verify"],
} as const satisfies Readonly<Record<string, readonly GatewayCall[]>>;
export type Story = keyof typeof callsOf;

interface World extends AsyncDisposable {
  readonly shop: TestShop;
  readonly gateway: Gateway;
  readonly currency: string;
  /** How a customer pays. */
  readonly way: Readonly<Record<string, unknown>>;
  /** The payer answers, and the gateway sends its notice or loses it. */
  answer(reference: string, answer: "approved" | "declined", isLost: boolean): Promise<void>;
}

/** A shop with such a gateway. */
export function openWorld(name: (typeof worlds)[number]): Promise<World> {
  return name === "simulated" ? openSimulatedWorld() : openCallbackWorld();
}

async function openSimulatedWorld(): Promise<World> {
  const shop = await openTestShop();
  const gateway = simulatedGatewayOf(shop.duka.shops.test);
  if (gateway === null) throw new Error("A test shop has the simulated gateway.");
  return {
    shop,
    gateway,
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

/** The books of a gateway. */
type GatewayBooks = Pick<Gateway, "verify" | "findRefunds">;

/** Its own books, whatever goes wrong in its calls afterwards. */
export function booksOf(gateway: Gateway): GatewayBooks {
  return { verify: gateway.verify.bind(gateway), findRefunds: gateway.findRefunds.bind(gateway) };
}

/** One order and all that is paid for it. */
export class PaymentLife {
  readonly #world: World;
  readonly #books: GatewayBooks;
  readonly #chance: Chance;
  #orderId = "";
  #keys = 0;

  constructor(world: World, books: GatewayBooks, chance: Chance) {
    this.#world = world;
    this.#books = books;
    this.#chance = chance;
  }

  async live(story: Story): Promise<void> {
    const { shop } = this.#world;
    await this.#order();
    await this.#pay(story);
    if (story === "cancelled early") await this.#cancel();
    await pass(shop, story === "late" ? 3 * HOUR : 20);
    await this.#answer(story === "declined" ? "declined" : "approved");
    await pass(shop, 2 * HOUR);
    if (story === "paid") await this.#refundTwice();
    if (story === "cancelled late") await this.#cancel();
    await pass(shop, 3 * DAY);
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

  async #pay(story: Story): Promise<void> {
    const way = story === "code" ? byCode : this.#world.way;
    const asked = { order_id: this.#orderId, ...way };
    const made = await this.#insist("post", "/v2/payments/initialize", asked);
    if (story !== "code") return;
    const payments = await this.#world.shop.get(`/v2/payments?order_id=${this.#orderId}`);
    if (payments.list("/data").length === 0) throw new Error(made.text);
    const path = `/v2/payments/${payments.string("/data/0/id")}/otp`;
    await this.#insist("post", path, { otp: CODE });
  }

  async #cancel(): Promise<void> {
    const path = `/v2/orders/${this.#orderId}/cancel`;
    const done = await this.#insist("put", path, { refund: true });
    if (done.status !== 200) throw new Error(done.text);
  }

  /** Repeats the request, with its key, as long as the shop does not answer it. */
  async #insist(
    method: "post" | "put",
    path: string,
    body: Readonly<Record<string, unknown>>,
  ): Promise<Answered> {
    const { shop } = this.#world;
    this.#keys += 1;
    const headers = { "Idempotency-Key": `life-${this.#keys}` };
    for (let tries = 1; ; tries += 1) {
      const answered = await shop[method](path, body, { headers });
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
    for (const amount of [10, 5]) {
      await this.#insist("post", path, { amount, reason: "requested_by_customer" });
      await pass(this.#world.shop, 10 * MINUTE);
    }
  }

  /** Everything that the gateway has in its books for the order. */
  async #charges(): Promise<Charge[]> {
    const { shop, gateway } = this.#world;
    const payments = await shop.get(`/v2/payments?order_id=${this.#orderId}`);
    const found: Charge[] = [];
    for (const index of payments.list("/data").keys()) {
      const paymentId = payments.string(`/data/${index}/id`);
      if (!isId("payment", paymentId)) throw new Error(`${paymentId} is no payment.`);
      for (let n = 1; n <= ATTEMPTS_MAX; n += 1) {
        const reference = gateway.newReference(paymentId, n);
        const made: GatewayAttempt = attempt({ gatewayReference: reference });
        const outcome = await this.#books.verify(made, quiet);
        if (outcome.state === "not_found") continue;
        const listed = await this.#books.findRefunds(made, quiet);
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
    const takenMinor = total(charges.map((charge) => charge.takenMinor));
    const returnedMinor = total(charges.map((charge) => charge.returnedMinor));
    const shown = charges.map(({ reference, state, status }) => `${reference} ${state} ${status}`);
    const told: readonly (readonly [what: string, one: unknown, other: unknown])[] = [
      ["paid", order.at("/paid_total_minor"), takenMinor],
      ["refunded", order.at("/refunded_total_minor"), returnedMinor],
      ["refunding", order.at("/refunding_total_minor"), returnedMinor],
      ["refunds", refunds.list("/data").length, total(charges.map((charge) => charge.refunds))],
      ["order.paid", counts["order.paid"] ?? 0, order.at("/paid_at") === null ? 0 : 1],
      ["order.refunded", counts["order.refunded"] ?? 0, refunds.list("/data").length],
    ];
    const kept = takenMinor - returnedMinor;
    return [
      ...told
        .filter(([, one, other]) => one !== other)
        .map(
          ([what, one, other]) =>
            `${what}: the shop says ${String(one)}, and it is ${String(other)}`,
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
const quiet: GatewayCallTerms = {
  signal: new AbortController().signal,
  name: async () => {},
  keyed: async () => {},
};

function total(amounts: readonly number[]): number {
  return amounts.reduce((added, minor) => added + minor, 0);
}
