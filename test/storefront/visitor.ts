// A visitor of the test shop, with a browser's cookies and the forms of its pages, but without script.

import type { TestShop } from "../support/shop.ts";

export interface SeenPage {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
  /** The address to which the answer leads; empty for none. */
  readonly location: string;
}

export class Visitor {
  readonly #shop: TestShop;
  #cookie = "";

  constructor(shop: TestShop) {
    this.#shop = shop;
  }

  /** Opens a page of the shop, without what follows. */
  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<SeenPage> {
    return this.#ask(path, { headers });
  }

  /** Sends a form as a page of the shop does, unless another origin is named. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    origin = this.#shop.url,
  ): Promise<SeenPage> {
    const body = new URLSearchParams(fields);
    return this.#ask(path, { method: "POST", body, headers: { Origin: origin } });
  }

  async #ask(path: string, request: RequestInit): Promise<SeenPage> {
    const headers = new Headers(request.headers);
    if (this.#cookie !== "") headers.set("Cookie", this.#cookie);
    const answer = await fetch(`${this.#shop.url}/test/shop${path}`, {
      ...request,
      headers,
      redirect: "manual",
    });
    const [cookie] = (answer.headers.get("set-cookie") ?? "").split(";");
    if (cookie !== undefined && cookie !== "") this.#cookie = cookie;
    return {
      status: answer.status,
      html: await answer.text(),
      headers: answer.headers,
      location: answer.headers.get("location") ?? "",
    };
  }
}
