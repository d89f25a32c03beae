// Calls of Stripe's API. Invariant: a GET has no effect, and the secret leaves this file in the header of a call alone.

import type { Fields } from "#payments/gateways/answers/fields.ts";
import type { VendorTerms } from "#payments/gateways/vendors.ts";
import { type Ask, openAsk } from "#platform/net/ask.ts";
import { alsoLoopback, onlyPublic, type Reach } from "#platform/net/target-url.ts";

import { type Answer, answerOf } from "./answers.ts";

/** The version whose shapes are read here; without it an account has its own. */
export const API_VERSION = "2026-10-28.endive";

export interface CallLimits {
  readonly signal: AbortSignal;
  readonly ms: number;
}

interface Post extends CallLimits {
  /** Encoded, since what is sent under a key is always the same. */
  readonly body: string;
  /** Null where the call may have its effect again. */
  readonly key: string | null;
}

/** So many objects are read of a list, and no more unless a list is known to be longer. */
const PAGE_ROWS = 100;
const PAGES_MAX = 10;

const FORM = "application/x-www-form-urlencoded";

export class StripeCalls {
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
    this.#headers = { authorization: `Bearer ${secret}`, "stripe-version": API_VERSION };
    this.#reach = mode === "live" ? onlyPublic : alsoLoopback;
  }

  /** Reads, and changes nothing. */
  async get(path: string, params: Params, { signal, ms }: CallLimits): Promise<Answer> {
    const query = formOf(params);
    const url = `${this.#address}${path}${query === "" ? "" : `?${query}`}`;
    const call = { method: "GET", url, headers: this.#headers, body: null } as const;
    return this.#answer(call, { signal, ms });
  }

  async post(path: string, { body, key, ...limits }: Post): Promise<Answer> {
    const headers = key === null ? this.#headers : { ...this.#headers, "idempotency-key": key };
    const url = `${this.#address}${path}`;
    const call = { method: "POST", url, headers, body: { type: FORM, content: body } } as const;
    return this.#answer(call, limits);
  }

  /**
   * All objects of the list, newest first, or those of its pages until one is found; any other answer if they cannot
   * all be read.
   */
  async list(
    path: string,
    params: Params,
    {
      until = () => false,
      pages = PAGES_MAX,
      ...limits
    }: CallLimits & { readonly until?: (object: Fields) => boolean; readonly pages?: number },
  ): Promise<Exclude<Answer, { kind: "ok" }> | { readonly kind: "all"; readonly rows: Fields[] }> {
    const rows: Fields[] = [];
    for (let page = 0; page < pages; page += 1) {
      const after = { starting_after: rows.at(-1)?.text("id") ?? null };
      const answer = await this.get(path, { ...params, limit: PAGE_ROWS, ...after }, limits);
      if (answer.kind !== "ok") return answer;
      const read = answer.object.list("data");
      rows.push(...read);
      if (!answer.object.flag("has_more") || read.some(until)) return { kind: "all", rows };
    }
    return { kind: "unknown" };
  }

  async #answer(
    call: Pick<Parameters<Ask>[0], "method" | "url" | "headers" | "body">,
    { signal, ms }: CallLimits,
  ): Promise<Answer> {
    const reach = this.#reach;
    return answerOf(await this.#ask({ ...call, reach, reads: "whole", timeoutMs: ms, signal }));
  }
}

/** Parameters by name; lists have numbers as names. What is null is left out. */
interface Params {
  readonly [name: string]: string | number | boolean | null | Params;
}

/** The form encoding, `a[b][0]=c`: the same parameters always have the same text. */
export function formOf(params: Params): string {
  return new URLSearchParams(pairsOf(params, (name) => name)).toString();
}

function pairsOf(params: Params, nameOf: (name: string) => string): [string, string][] {
  return Object.entries(params).flatMap(([name, value]): [string, string][] => {
    const whole = nameOf(name);
    if (value === null) return [];
    if (typeof value === "object") return pairsOf(value, (part) => `${whole}[${part}]`);
    return [[whole, String(value)]];
  });
}
