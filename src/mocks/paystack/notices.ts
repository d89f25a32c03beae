// The vendor's notices: signed with the secret itself, waiting until a test sends them, twice, in another order, or
// never. Nothing is told of a payment that fails.

import { createHmac } from "node:crypto";

import { postTo } from "#mocks/post.ts";
import type { ArrivedNotice } from "#payments/port/notice.ts";

interface Waiting {
  readonly event: string;
  readonly notice: ArrivedNotice;
}

export class Notices {
  readonly #secret: string;
  /** The address to which they go, as it is set in the vendor's dashboard. */
  url: string | null = null;
  /** Everything that was told, oldest first, whether it was sent or not. */
  readonly all: ArrivedNotice[] = [];
  #waiting: Waiting[] = [];

  constructor(secret: string) {
    this.#secret = secret;
  }

  announce(event: string, data: object): void {
    const notice = this.sign(JSON.stringify({ event, data }));
    this.all.push(notice);
    this.#waiting.push({ event, notice });
  }

  /** The text as it arrives. */
  sign(text: string): ArrivedNotice {
    const bytes = new TextEncoder().encode(text);
    const signature = createHmac("sha512", this.#secret).update(bytes).digest("hex");
    const headers = new Headers({
      "content-type": "application/json",
      "x-paystack-signature": signature,
    });
    return { bytes, headers, token: null };
  }

  get areWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Sends what waits, so often each. What is not taken with 2xx waits on. Returns the statuses. */
  async send(copies = 1): Promise<number[]> {
    const notices = this.#waiting;
    this.#waiting = [];
    const statuses: number[] = [];
    for (const one of notices) {
      for (let copy = 0; copy < copies; copy += 1) statuses.push(await this.#post(one));
    }
    return statuses;
  }

  /** Drops what waits, or what waits of these events, so that it is never sent. */
  lose(event?: string): void {
    this.#waiting = this.#waiting.filter((one) => event !== undefined && one.event !== event);
  }

  async #post(waiting: Waiting): Promise<number> {
    if (this.url === null) return 0;
    const { headers, bytes } = waiting.notice;
    const { status } = await postTo(this.url, {
      type: "application/json",
      content: bytes,
      headers,
    });
    if (status === null || status < 200 || status >= 300) this.#waiting.push(waiting);
    return status ?? 0;
  }
}
