// A shop with people who are signed in at the dashboard, as their browsers see it.

import { beforeAll } from "bun:test";

import { makeLink } from "#shop/people/credentials/make-link.ts";
import { getPersonByName } from "#shop/people/lookups.ts";
import { removePerson } from "#shop/people/remove-person.ts";
import type { Role } from "#shop/people/roles.ts";

import { openTestShop, sharedShop, type TestShop, type TestShopOptions } from "../support/shop.ts";

export const PASSWORD = "seven mugs on a quiet shelf";

/** A page as a person reads it. */
export class SeenPage {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;

  constructor(status: number, headers: Headers, html: string) {
    this.status = status;
    this.headers = headers;
    this.html = html;
  }

  /** What stands on the page, without tags and with single spaces. */
  get text(): string {
    const body = this.html
      .replace(/^.*<body/s, "<body")
      .replaceAll(/<(script|style)\b.*?<\/\1>/gs, "");
    return decoded(body.replaceAll(/<[^>]*>/g, " "))
      .replaceAll(/\s+/g, " ")
      .trim();
  }

  /** The address that follows; empty if the page is no redirect. */
  get location(): string {
    return this.headers.get("location") ?? "";
  }

  /** The value of a hidden or visible field, as the browser would send it. */
  field(name: string): string {
    const tag = this.html.match(new RegExp(`<input[^>]*name="${name}"[^>]*>`))?.[0];
    if (tag === undefined) throw new Error(`No field ${name} in ${this.text}`);
    return decoded(/value="([^"]*)"/.exec(tag)?.[1] ?? "");
  }
}

/** A text of HTML as it is read. */
export function decoded(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}

type Fields = Readonly<Record<string, string | number>> | readonly (readonly [string, string])[];

/** A browser with the cookies of one person; without a session until one is given. */
export class Visitor {
  readonly shop: TestShop;
  /** Of the person, who has a number in a shared shop: "Kofi 3". */
  readonly name: string;
  readonly #cookies = new Map<string, string>();

  constructor(shop: TestShop, name = "") {
    this.shop = shop;
    this.name = name;
  }

  /** Opens a page; redirects are not followed. */
  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<SeenPage> {
    return this.#ask(path, { method: "GET", headers });
  }

  /** Sends a form as a page of the dashboard does. */
  send(
    path: string,
    fields: Fields = {},
    headers: Readonly<Record<string, string>> = { "Sec-Fetch-Site": "same-origin" },
  ): Promise<SeenPage> {
    const pairs = Array.isArray(fields) ? fields : Object.entries(fields);
    const body = new URLSearchParams(
      pairs.map(([name, value]): [string, string] => [name, String(value)]),
    );
    return this.#ask(path, { method: "POST", headers, body });
  }

  /** Sends the files of a form as a page of the dashboard does. */
  sendFiles(path: string, files: readonly Uint8Array<ArrayBuffer>[]): Promise<SeenPage> {
    const body = new FormData();
    for (const [index, file] of files.entries()) body.append("files", new File([file], `${index}`));
    return this.#ask(path, { method: "POST", headers: { "Sec-Fetch-Site": "same-origin" }, body });
  }

  /** Sends a form and opens what follows. */
  async sendAndFollow(path: string, fields: Fields = {}): Promise<SeenPage> {
    const answer = await this.send(path, fields);
    const own = { "Sec-Fetch-Site": "same-origin" };
    return answer.status === 303 ? this.get(answer.location, own) : answer;
  }

  async #ask(
    path: string,
    init: {
      method: string;
      headers: Readonly<Record<string, string>>;
      body?: URLSearchParams | FormData;
    },
  ): Promise<SeenPage> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(`${this.shop.url}${path}`, {
      ...init,
      redirect: "manual",
      headers: { ...init.headers, ...(cookie === "" ? {} : { Cookie: cookie }) },
    });
    for (const set of response.headers.getSetCookie()) this.#keep(set);
    return new SeenPage(response.status, response.headers, await response.text());
  }

  /** The cookies, as a browser test hands them to its browser. */
  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies;
  }

  #keep(set: string): void {
    const [pair = ""] = set.split(";");
    const at = pair.indexOf("=");
    const value = pair.slice(at + 1);
    if (value === "") this.#cookies.delete(pair.slice(0, at));
    else this.#cookies.set(pair.slice(0, at), value);
  }
}

export interface DashboardShop extends AsyncDisposable {
  readonly shop: TestShop;
  /** The owner, signed in. */
  readonly owner: Visitor;
  /** Another person, signed in. */
  join(role: Role, name: string): Promise<Visitor>;
  /** Removes the person, who does not run the shop any more. */
  readonly remove: (name: string) => Promise<void>;
  /** A browser that nobody signed in at. */
  stranger(): Visitor;
}

/** Opens a shop whose owner Ama has taken the first link. */
export async function openDashboard(options: TestShopOptions = {}): Promise<DashboardShop> {
  const dashboard = dashboardOf(await openTestShop(options));
  await takeLink(dashboard.owner, { kind: "first_owner", by: null });
  return dashboard;
}

/** The same for all tests of the file, or of the `describe` that calls this; of `sharedShop`, which says who may. */
export function sharedDashboard(options: TestShopOptions = {}): DashboardShop {
  const dashboard = dashboardOf(sharedShop(options));
  beforeAll(() => takeLink(dashboard.owner, { kind: "first_owner", by: null }));
  return dashboard;
}

async function takeLink(visitor: Visitor, terms: Parameters<typeof makeLink>[1]): Promise<void> {
  const { shop, name } = visitor;
  const token = await shop.live.database.write((tx) => makeLink(tx, terms));
  const fields = { "/name": name, "/password": PASSWORD };
  const taken = await visitor.send(`/dashboard/door/${token}`, fields);
  if (taken.status !== 303) throw new Error(`${taken.status}: ${taken.text}`);
}

function dashboardOf(shop: TestShop): DashboardShop {
  return {
    shop,
    owner: new Visitor(shop, "Ama"),
    join: async (role, name) => {
      const number = shop.nextNumber();
      const visitor = new Visitor(shop, number === null ? name : `${name} ${number}`);
      await takeLink(visitor, { kind: "invitation", role, by: "Ama" });
      return visitor;
    },
    remove: (name) =>
      shop.live.database.write(async (tx) => {
        await removePerson(tx, (await getPersonByName(tx, name)).id, "Ama");
      }),
    stranger: () => new Visitor(shop),
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  };
}
