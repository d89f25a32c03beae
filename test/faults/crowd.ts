// Clients who buy, pay, ship and count all at once, whatever happens to the shop meanwhile. Whoever
// was not answered asks again under the same idempotency key. All they are told goes into a ledger.

import type { Chance } from "./fault.ts";
import type { Deed, DeedKind, Ledger } from "./ledger.ts";
import type { Shelves } from "./seen-shop.ts";

/** An answer that takes longer than this never comes, milliseconds. */
const ANSWER_MS_MAX = 30_000;
/** Before whoever was refused asks again, milliseconds: less than the answer recommends. */
const PATIENCE_MS = 40;
/** The money comes five seconds after the card was given, by a timer. */
const PAYS_LATER = "pm_test_pendingThenSuccess";
/** What orders are paid with, unless the crowd has cards of its own; null is not paid. */
const CARDS: readonly (string | null)[] = ["pm_card_visa", "pm_card_visa", PAYS_LATER, null, null];

export interface CrowdTerms {
  readonly clients: number;
  readonly chance: Chance;
  readonly ledger: Ledger;
  readonly shelves: Shelves;
  readonly key: string;
  /** Makes the marks of this crowd its own. */
  readonly name: string;
  /** Whether an answer is one that may be given now, and asks to come back later. */
  readonly mayRefuse?: (response: Response, text: string) => boolean;
  /** One of which each order is paid with; null is not paid. */
  readonly cards?: readonly (string | null)[];
}

/** What an order's answer is read for. */
interface Placed {
  readonly id: string;
  readonly line_items: readonly { readonly id: string }[];
}

/** Somebody who waits for so many answers of a kind. */
interface Countdown {
  readonly of: "yes" | "refusal";
  left: number;
  readonly reached: () => void;
}

export class Crowd {
  readonly #terms: CrowdTerms;
  readonly #clients: readonly Promise<void>[];
  /** Where the shop is; null while the door is closed. */
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

  /** Everybody goes to this address. */
  open(url: string): void {
    this.#url = url;
    this.#door.resolve();
  }

  /** Nobody begins anything any more. Afterwards `gathered` says when everybody waits outside. */
  close(): void {
    this.#url = null;
    this.#door = Promise.withResolvers<void>();
  }

  /** Resolves when everybody has been answered, or has given up waiting, and stands outside. */
  async gathered(): Promise<void> {
    if (this.#outside === this.#terms.clients) return;
    await new Promise<void>((resolve) => (this.#gathered = resolve));
  }

  /** Resolves with the yes that is so many ahead, or at once where a promise is broken. */
  acknowledgements(count: number): Promise<void> {
    return this.#countDown("yes", count);
  }

  /** The same, of those who were told to come back later. */
  refusals(count: number): Promise<void> {
    return this.#countDown("refusal", count);
  }

  /** Everybody ends what was begun and goes home. The door must be open. */
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

  /** One client's business, from the order to the last parcel. */
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

  /** Asks until it is answered; null where the answer is neither a yes nor one to come back after. */
  async #do<T>(
    kind: DeedKind,
    mark: string,
    asked: Omit<Deed, "kind" | "mark">,
  ): Promise<T | null> {
    const { ledger, mayRefuse = () => false } = this.#terms;
    const deed: Deed = { kind, mark: `${mark}-${kind}`, ...asked };
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
      const told: T = JSON.parse(text);
      return told;
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

  /** After a broken promise nobody comes any more, and nobody waits for what may never be. */
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
