// Visitors of a shop's pages in the faults of abuse: requests with a publishable key, from addresses of their own.

import type { RunningDuka } from "../support/running-duka.ts";

export interface Asked {
  readonly status: number;
  readonly text: string;
  readonly milliseconds: number;
}

export interface AskTerms {
  readonly from: string;
  readonly body?: object;
  readonly token?: string;
}

/** Asks as visitors of the pages with this key; a proxy on this machine says whose each request is. */
export class Visitors {
  readonly #duka: RunningDuka;
  readonly #key: string;

  constructor(duka: RunningDuka, key: string) {
    this.#duka = duka;
    this.#key = key;
  }

  async ask(method: string, path: string, { from, body, token }: AskTerms): Promise<Asked> {
    const headers = {
      "X-Forwarded-For": from,
      ...(token === undefined ? {} : { "Customer-Token": token }),
    };
    const beganAt = performance.now();
    const terms = { key: this.#key, headers, ...(body === undefined ? {} : { body }) };
    const answer = await this.#duka.request(method, path, terms);
    const text = await answer.text();
    return { status: answer.status, text, milliseconds: performance.now() - beganAt };
  }
}

/** The member of an answer in JSON, as text; empty where it has none. */
export function memberOf({ text }: Pick<Asked, "text">, name: string): string {
  const found: Record<string, string | number | null> = JSON.parse(text);
  return String(found[name] ?? "");
}

/** Makes a request as the merchant. Throws unless it is done. */
export async function asMerchant(
  duka: RunningDuka,
  request: string,
  { key = duka.key, body }: { readonly key?: string; readonly body?: object } = {},
): Promise<string> {
  const [method = "", path = ""] = request.split(" ");
  const terms = { key, ...(body === undefined ? {} : { body }) };
  const answer = await duka.request(method, path, terms);
  const text = await answer.text();
  if (answer.status >= 300) throw new Error(`${request}: ${answer.status} ${text}`);
  return text;
}

/** Settings of a shop that strangers may buy in without a word about themselves. */
export const openToAll = {
  checkout: { contact: "none", address: "never", name: false },
  payment_methods: { cash_on_delivery: { storefront: true } },
};

/** A publishable key of the mode of the given one, whose shop is open to all from now on. */
export async function pageKeyOf(duka: RunningDuka, key = duka.key): Promise<string> {
  await asMerchant(duka, "PUT /v2/store", { key, body: openToAll });
  const body = { name: "Pages", kind: "publishable" };
  return memberOf({ text: await asMerchant(duka, "POST /v2/keys", { key, body }) }, "key");
}

/** Goods with so many in stock. Returns the id of their variant. */
export async function goodsOf(duka: RunningDuka, stock: number, key = duka.key): Promise<string> {
  const body = { name: "Mug", price: 12.5, stock };
  const text = await asMerchant(duka, "POST /v2/products", { key, body });
  const { variants }: { variants: { id: string }[] } = JSON.parse(text);
  return variants[0]?.id ?? "";
}

/** Units of the variant that orders hold. */
export async function reservedOf(duka: RunningDuka, variantId: string, key = duka.key) {
  const text = await asMerchant(duka, `GET /v2/inventory/${variantId}`, { key });
  return Number(memberOf({ text }, "reserved"));
}

/** Works on so many at a time until none is left. */
export async function each(
  times: number,
  atOnce: number,
  work: (nth: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < times) {
      const nth = next;
      next += 1;
      await work(nth);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

/** The 99th percentile, milliseconds. */
export function p99(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}
