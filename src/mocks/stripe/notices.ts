// The vendor's notices: signed events, which wait until a test sends them, late, twice, in another order, or never.

import { createHmac } from "node:crypto";

import type Stripe from "stripe";

import { postTo } from "#mocks/post.ts";

import type { Account, EndpointRow } from "./account.ts";
import { API_VERSION } from "./admission.ts";
import { seconds } from "./money-objects.ts";

/** The request that an event comes from, or null where the vendor acts by itself. */
export interface CausedBy {
  readonly id: string;
  readonly idempotencyKey: string | null;
}

/** A notice as it arrives at an endpoint. */
export interface SignedEvent {
  readonly bytes: Uint8Array;
  readonly headers: Headers;
}

interface Post {
  readonly endpoint: EndpointRow;
  readonly event: Stripe.EventBase;
}

/** The way in which notices are sent: each so often, and as they were made or turned round. */
export interface Sending {
  readonly copies?: number;
  readonly order?: "as_made" | "reversed";
}

export class Notices {
  readonly #account: Account;
  readonly #events: Stripe.EventBase[] = [];
  #waiting: Post[] = [];
  /** True if notices are sent before the request that causes them is answered. */
  arePrompt = false;
  causedBy: CausedBy | null = null;

  constructor(account: Account) {
    this.#account = account;
  }

  /** Everything that happened, oldest first, whether it was sent or not. */
  get events(): readonly Stripe.EventBase[] {
    return this.#events;
  }

  get areWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Announces an object as it is now to the endpoints that asked for this type. */
  announce(type: Stripe.Event.Type, object: object): void {
    const { causedBy } = this;
    const endpoints = this.#account.endpoints
      .all()
      .filter(({ events }) => events.includes(type) || events.includes("*"));
    const event = {
      id: this.#account.newId("evt"),
      object: "event",
      api_version: API_VERSION,
      created: seconds(this.#account.now()),
      data: { object },
      livemode: this.#account.isLive,
      pending_webhooks: endpoints.length,
      request:
        causedBy === null
          ? { id: null, idempotency_key: null }
          : { id: causedBy.id, idempotency_key: causedBy.idempotencyKey },
      type,
    } satisfies Stripe.EventBase;
    this.#events.push(event);
    this.#waiting.push(...endpoints.map((endpoint) => ({ endpoint, event })));
  }

  /** The event as its endpoint receives it, signed now. */
  sign(event: Stripe.EventBase, secret: string): SignedEvent {
    const body = JSON.stringify(event, null, 2);
    const at = seconds(this.#account.now());
    const v1 = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
    const headers = new Headers({
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": `t=${at},v1=${v1}`,
      "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
    });
    return { bytes: new TextEncoder().encode(body), headers };
  }

  /**
   * Sends what waits, one after the other. What an endpoint does not take with 2xx waits on. Returns the statuses
   * of the answers, 0 where there was none.
   */
  async send({ copies = 1, order = "as_made" }: Sending = {}): Promise<number[]> {
    const posts = order === "reversed" ? this.#waiting.toReversed() : this.#waiting;
    this.#waiting = [];
    const statuses: number[] = [];
    for (const post of posts.flatMap((one) => Array.from({ length: copies }, () => one))) {
      const status = await this.#post(post);
      statuses.push(status);
      const isTaken = status >= 200 && status < 300;
      if (!isTaken && !this.#waiting.includes(post)) this.#waiting.push(post);
    }
    return statuses;
  }

  /** Drops all that waits, so that it is never sent. */
  lose(): void {
    this.#waiting = [];
  }

  async #post({ endpoint, event }: Post): Promise<number> {
    const { bytes, headers } = this.sign(event, endpoint.secret);
    const body = { type: "application/json", content: bytes, headers } as const;
    return (await postTo(endpoint.url, body)).status ?? 0;
  }
}
