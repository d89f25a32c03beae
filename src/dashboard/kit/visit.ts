// One request of a person who signed in: who, in which shop, at which page.

import type { Static } from "typebox";

import type { AlertsShop } from "#alerts/alerts-shop.ts";
import type { SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import type { Now } from "#dashboard/kit/parts/times.ts";
import type { Writing } from "#dashboard/kit/typed-amount.ts";
import type { EmailsShop } from "#emails/emails-shop.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Database } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { PeopleShop } from "#shop/people/people-shop.ts";
import type { Visitor } from "#shop/people/sessions/session.ts";
import type { storeWire } from "#shop/settings/schema.ts";
import type { waitingWire } from "#waiting/schema.ts";

import { Asker, type AskerTerms } from "./asker.ts";
import type { ImportRunner } from "./terms.ts";

type Store = Static<(typeof storeWire)["schema"]>;
export type Waiting = Static<(typeof waitingWire)["schema"]>;

/** The facts of the shop that every page knows. */
interface ShopFacts {
  readonly store: Store;
  /** The newest event when the page was asked for: what comes later is not on it. */
  readonly lastSequence: number;
  /** The shop's clock, epoch milliseconds: that of a test shop can be moved. */
  readonly now: number;
  /** The work that waits for the merchant; null for a person who may not see it. */
  readonly waiting: Waiting | null;
  /** How emails leave the shop; null where none do. */
  readonly mail: EmailsShop["mail"];
  /** How messages to browsers leave the shop. */
  readonly pushing: Pick<AlertsShop, "callOut" | "pushInbox">;
}

type Sender = NonNullable<EmailsShop["mail"]>["from"];

export interface VisitTerms extends AskerTerms {
  readonly visitor: Visitor;
  /** The database of the shop that is looked at: what is longer than an answer of the interface is read from it. */
  readonly database: Database;
  /** The live shop, in which people are kept, also where a page of the test shop is looked at. */
  readonly people: PeopleShop;
  /** The work on files of the shop that is looked at. */
  readonly imports: ImportRunner;
  /** The modes that are served. */
  readonly modes: readonly Mode[];
  /** The dashboard's own address, without a final slash. */
  readonly dashboardUrl: string;
  /** The parameters of the page's address. */
  readonly params: Readonly<Record<string, string>>;
  /** The path of the page, also where one of its forms was submitted. */
  readonly page: string;
  /** The form of which the page is shown again; null where the page was only asked for. */
  readonly submitted: SubmittedForm | null;
}

export class Visit extends Asker {
  readonly url: URL;
  readonly visitor: Visitor;
  readonly database: Database;
  readonly people: PeopleShop;
  readonly imports: ImportRunner;
  readonly modes: readonly Mode[];
  readonly dashboardUrl: string;
  readonly params: Readonly<Record<string, string>>;
  readonly page: string;
  readonly submitted: SubmittedForm | null;
  readonly store: Store;
  readonly lastSequence: number;
  readonly now: number;
  readonly waiting: Waiting | null;
  readonly mail: EmailsShop["mail"];
  readonly pushing: ShopFacts["pushing"];
  readonly #terms: VisitTerms;
  readonly #facts: ShopFacts;

  constructor(terms: VisitTerms, facts: ShopFacts) {
    super(terms);
    const { store, lastSequence, now, waiting, mail, pushing } = facts;
    this.#terms = terms;
    this.#facts = facts;
    this.url = new URL(terms.request.url);
    this.visitor = terms.visitor;
    this.database = terms.database;
    this.people = terms.people;
    this.imports = terms.imports;
    this.modes = terms.modes;
    this.dashboardUrl = terms.dashboardUrl;
    this.params = terms.params;
    this.page = terms.page;
    this.submitted = terms.submitted;
    this.store = store;
    this.lastSequence = lastSequence;
    this.now = now;
    this.waiting = waiting;
    this.mail = mail;
    this.pushing = pushing;
  }

  /** The same request of the shop as it was found: with a form that was refused, or a session that was renewed. */
  with(changed: Partial<Pick<VisitTerms, "submitted" | "visitor">>): Visit {
    return new Visit({ ...this.#terms, ...changed }, this.#facts);
  }

  /** The shop's time zone, and the time there. */
  get when(): Now {
    return { zone: this.store.timezone, now: this.now };
  }

  /** The same in real time, by which keys and sessions live: a test clock does not move them. */
  get realWhen(): Now {
    return { zone: this.store.timezone, now: this.people.clock.now() };
  }

  /** Whom emails to customers come from; null where none leave. */
  get sender(): Sender | null {
    return this.mail?.from ?? null;
  }

  /** How people write amounts of the currency here; by default of the shop's own. */
  writing(currency: CurrencyCode = this.store.currency): Writing {
    return { currency, locale: this.store.locale };
  }

  get mode(): Mode {
    return this.caller.mode;
  }

  /** The address of a page of this shop's dashboard. */
  href(path: string): string {
    return `${rootOf(this.mode)}${path}`;
  }

  /** A parameter of the query; empty if it is not there. */
  query(name: string): string {
    return this.url.searchParams.get(name) ?? "";
  }

  may(scope: string): boolean {
    return this.caller.scopes.has(scope);
  }
}

/** The address of the first page of a shop's dashboard. */
export function rootOf(mode: Mode): string {
  return mode === "live" ? "/dashboard" : "/dashboard/test";
}
