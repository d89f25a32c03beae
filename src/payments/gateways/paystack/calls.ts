// Calls of Paystack's API. Invariant: a GET has no effect, and the secret leaves this file in the header of a call alone.

import { Fields } from "#payments/gateways/answers/fields.ts";
import type { VendorTerms } from "#payments/gateways/vendors.ts";
import { type Ask, openAsk } from "#platform/net/ask.ts";
import { alsoLoopback, onlyPublic, type Reach } from "#platform/net/target-url.ts";

import { type Answer, answerOf } from "./answers.ts";

export interface CallLimits {
  readonly signal: AbortSignal;
  readonly ms: number;
}

/** So many rows are read of a list, and no more unless a list is known to be longer. */
const PAGE_ROWS = 50;
const PAGES_MAX = 10;

export class PaystackCalls {
  readonly #ask: Ask;
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #reach: Reach;

  constructor({
    mode,
    secret,
    address,
    onSkew,
  }: Pick<VendorTerms, "mode" | "secret" | "address" | "onSkew">) {
    this.#ask = openAsk({ onSkew });
    this.#address = address;
    this.#headers = { authorization: `Bearer ${secret}` };
    this.#reach = mode === "live" ? onlyPublic : alsoLoopback;
  }

  /** Reads, and changes nothing. */
  get(path: string, limits: CallLimits): Promise<Answer> {
    return this.#answer({ method: "GET", path, body: null }, limits);
  }

  post(path: string, body: object, limits: CallLimits): Promise<Answer> {
    const content = JSON.stringify(body);
    return this.#answer(
      { method: "POST", path, body: { type: "application/json", content } },
      limits,
    );
  }

  /** All rows of the list; any other answer if they cannot all be read. */
  async list(
    path: string,
    { pages = PAGES_MAX, ...limits }: CallLimits & { readonly pages?: number },
  ): Promise<Exclude<Answer, { kind: "ok" }> | { readonly kind: "all"; readonly rows: Fields[] }> {
    const rows: Fields[] = [];
    for (let page = 1; page <= pages; page += 1) {
      const answer = await this.get(`${path}&perPage=${PAGE_ROWS}&page=${page}`, limits);
      if (answer.kind !== "ok") return answer;
      const found = answer.answer.list("data");
      rows.push(...found);
      if (found.length < PAGE_ROWS) return { kind: "all", rows };
    }
    return { kind: "unknown" };
  }

  async #answer(
    { method, path, body }: Pick<Parameters<Ask>[0], "method" | "body"> & { readonly path: string },
    { signal, ms }: CallLimits,
  ): Promise<Answer> {
    const call = { method, url: `${this.#address}${path}`, headers: this.#headers, body };
    const reach = this.#reach;
    return answerOf(await this.#ask({ ...call, reach, reads: "whole", timeoutMs: ms, signal }));
  }
}
