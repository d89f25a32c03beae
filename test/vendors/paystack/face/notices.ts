// The vendor's notices: signed with the secret itself, waiting until a test sends them, twice, in another order, or
// never. Nothing is told of a payment that fails.

import { createHmac } from "node:crypto";

import type { ArrivedNotice } from "#payments/port/notice.ts";

interface Waiting {
  readonly event: string;
  readonly notice: ArrivedNotice;
}

export class Notices {
  readonly #secret: string;
  /** Where they go, as it is set in the vendor's dashboard. */
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

  /** What waits of these events is never sent. */
  lose(event: string): void {
    this.#waiting = this.#waiting.filter((one) => one.event !== event);
  }

  async #post(waiting: Waiting): Promise<number> {
    if (this.url === null) return 0;
    try {
      const { headers, bytes: body } = waiting.notice;
      const answer = await fetch(this.url, {
        method: "POST",
        headers,
        body: Uint8Array.from(body),
      });
      await answer.arrayBuffer();
      if (!answer.ok) this.#waiting.push(waiting);
      return answer.status;
    } catch {
      // The endpoint is not there: as good as an answer that is not 2xx.
      this.#waiting.push(waiting);
      return 0;
    }
  }
}
