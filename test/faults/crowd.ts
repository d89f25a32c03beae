// Clients that order, pay, fulfill and count concurrently, whatever happens to the shop. A client without an
// answer retries under the same idempotency key. Every answer is entered into a ledger.

import type { Chance } from "./fault.ts";
import type { Deed, DeedKind, Ledger } from "./ledger.ts";
import type { Shelves } from "./seen-shop.ts";

/** An answer is given up after this time, milliseconds. */
const ANSWER_MS_MAX = 30_000;
/** The pause before a retry after a refusal, milliseconds: less than Retry-After recommends. */
const PATIENCE_MS = 40;
/** A card payment succeeds five seconds later, by a timer. */
const PAYS_LATER = "pm_test_pendingThenSuccess";
/** The cards of orders, unless the crowd has its own; null leaves the order unpaid. */
const CARDS: readonly (string | null)[] = ["pm_card_visa", "pm_card_visa", PAYS_LATER, null, null];

export interface CrowdTerms {
  readonly clients: number;
  readonly chance: Chance;
  readonly ledger: Ledger;
  readonly shelves: Shelves;
  readonly key: string;
  /** A prefix that makes the marks of this crowd unique. */
  readonly name: string;
  /** Whether an answer is a refusal that may be given now, to be retried. */
  readonly mayRefuse?: (response: Response, text: string) => boolean;
  /** One of these pays each order; null leaves it unpaid. */
  readonly cards?: readonly (string | null)[];
}

/** The fields that clients read from an order. */
interface Placed {
  readonly id: string;
  readonly line_items: readonly { readonly id: string }[];
}

/** A caller that waits for a number of answers of one kind. */
interface Countdown {
  readonly of: "yes" | "refusal";
  left: number;
  readonly reached: () => void;
}

export class Crowd {
  readonly #terms: CrowdTerms;
  readonly #clients: readonly Promise<void>[];
  /** The URL of the shop; null while requests have to wait. */
  #url: string | null = null;
  #door = Promise.withResolvers<void>();
  #outside = 0;
  #gathered: () => void = () => {};
  #isOver = false;
  #countdowns: Countdown[] = [];

  constructor(terms: CrowdTerms) {
    this.#terms = terms;
    this.#clients = Array.from({ length: terms.clients }, (_, index) => this.#come(index));
  }

  /** Sends all further requests to this URL. */
  open(url: string): void {
    this.#url = url;
    this.#door.resolve();
  }

  /** Holds back all further requests. `gathered` then resolves when every client waits. */
  close(): void {
    this.#url = null;
    this.#door = Promise.withResolvers<void>();
  }

  /** Resolves when every client has been answered or has given up, and waits. */
  async gathered(): Promise<void> {
    if (this.#outside === this.#terms.clients) return;
    await new Promise<void>((resolve) => (this.#gathered = resolve));
  }

  /** Resolves after this many more acknowledgements, or at once after a broken promise. */
  acknowledgements(count: number): Promise<void> {
    return this.#countDown("yes", count);
  }

  /** The same for refusals that are to be retried. */
  refusals(count: number): Promise<void> {
    return this.#countDown("refusal", count);
  }

  /** Lets every client finish its work and stop. The crowd must have a URL. */
  async disperse(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #come(client: number): Promise<void> {
    for (let nth = 1; !this.#isOver; nth += 1) {
      await this.#visit(`${this.#terms.name}-${client}-${nth}`);
    }
    this.#stepOut();
  }

  #stepOut(): void {
    this.#outside += 1;
    if (this.#outside === this.#terms.clients) this.#gathered();
  }

  async #enter(): Promise<string> {
    while (this.#url === null) {
      this.#stepOut();
      await this.#door.promise;
      this.#outside -= 1;
    }
    return this.#url;
  }

  /** The work of one client, from the order to the last fulfillment. */
  async #visit(mark: string): Promise<void> {
    const { chance, shelves, cards = CARDS } = this.#terms;
    const order: Placed | null = await this.#do("order", mark, {
      method: "POST",
      path: "/v2/orders",
      body: {
        line_items: [{ variant_id: shelves.soldId, quantity: 2 }],
        payment_method: "card",
        metadata: { deed: `${mark}-order` },
      },
    });
    if (order === null) return;
    const card = chance.one(cards);
    if (card !== null) await this.#pay(mark, order.id, card);
    const parcels = chance.below(3);
    for (let nth = 1; nth <= parcels; nth += 1) await this.#ship(`${mark}-${nth}`, order);
    const mayCancel = parcels === 0 && card !== PAYS_LATER;
    if (mayCancel && chance.happens(0.4)) await this.#cancel(mark, order.id);
    if (chance.happens(0.5)) await this.#count(mark);
  }

  async #pay(mark: string, orderId: string, card: string): Promise<void> {
    const body = { order_id: orderId, method: "card", card_token: card };
    await this.#do("payment", mark, {
      method: "POST",
      path: "/v2/payments/initialize",
      body: { ...body, metadata: { deed: `${mark}-payment` } },
      orderId,
    });
  }

  async #ship(mark: string, order: Placed): Promise<void> {
    const line = order.line_items[0]?.id;
    await this.#do("shipment", mark, {
      method: "PUT",
      path: `/v2/orders/${order.id}/fulfill`,
      body: {
        line_items: [{ line_item_id: line, quantity: 1 }],
        tracking: { number: `${mark}-shipment` },
      },
      orderId: order.id,
    });
  }

  async #cancel(mark: string, orderId: string): Promise<void> {
    const path = `/v2/orders/${orderId}/cancel`;
    await this.#do("cancellation", mark, { method: "PUT", path, body: {}, orderId });
  }

  async #count(mark: string): Promise<void> {
    const { chance, shelves } = this.#terms;
    await this.#do("adjustment", mark, {
      method: "PUT",
      path: `/v2/inventory/${shelves.countedId}`,
      body: { adjust: 1 + chance.below(9), note: `${mark}-adjustment` },
    });
  }

  /** Repeats a request until it is answered; null for an answer that is neither a success nor to be retried. */
  async #do<T>(kind: DeedKind, mark: string, rest: Omit<Deed, "kind" | "mark">): Promise<T | null> {
    const { ledger, mayRefuse = () => false } = this.#terms;
    const deed: Deed = { kind, mark: `${mark}-${kind}`, ...rest };
    ledger.attempt(deed);
    let isRepeated = false;
    for (;;) {
      const answer = await this.#ask(await this.#enter(), deed);
      if (answer === null) {
        ledger.lost += 1;
        isRepeated = true;
        continue;
      }
      const { response, text } = answer;
      if (mayRefuse(response, text)) {
        ledger.refused += 1;
        isRepeated = true;
        this.#note("refusal");
        await Bun.sleep(PATIENCE_MS);
        continue;
      }
      if (!response.ok) {
        this.#breakOff(`${deed.method} ${deed.path} was answered ${response.status}: ${text}`);
        return null;
      }
      if (isRepeated && response.headers.get("idempotent-replayed") === "true")
        ledger.replayed += 1;
      ledger.acknowledge({ deed, status: response.status, text });
      this.#note("yes");
      const value: T = JSON.parse(text);
      return value;
    }
  }

  async #ask(url: string, { method, path, body, mark }: Deed) {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${this.#terms.key}`,
          "Content-Type": "application/json",
          "Idempotency-Key": mark,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
      });
      return { response, text: await response.text() };
    } catch (error) {
      if (error instanceof Error && error.name === "TimeoutError") {
        this.#breakOff(`${method} ${path} was never answered`);
      }
      return null;
    }
  }

  /** After a broken promise clients stop, and waiting callers are released. */
  #breakOff(sentence: string): void {
    this.#terms.ledger.broken.push(sentence);
    this.#isOver = true;
    for (const { reached } of this.#countdowns.splice(0)) reached();
  }

  async #countDown(of: Countdown["of"], left: number): Promise<void> {
    if (this.#terms.ledger.broken.length > 0) return;
    await new Promise<void>((reached) => this.#countdowns.push({ of, left, reached }));
  }

  #note(what: Countdown["of"]): void {
    for (const countdown of this.#countdowns) {
      if (countdown.of !== what) continue;
      countdown.left -= 1;
      if (countdown.left === 0) countdown.reached();
    }
    this.#countdowns = this.#countdowns.filter(({ left }) => left > 0);
  }
}
