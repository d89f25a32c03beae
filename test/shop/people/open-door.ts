// A shop with people for a test: delays are noted instead of waited for, and what is verified is noted, too.

import { beforeAll, beforeEach } from "bun:test";

import { operator } from "#platform/database/database.ts";
import { listEntries } from "#shop/entries/list-entries.ts";
import { makeLink, type NewLink } from "#shop/people/credentials/make-link.ts";
import { takeLink } from "#shop/people/credentials/take-link.ts";
import type { PeopleShop } from "#shop/people/people-shop.ts";
import type { Role } from "#shop/people/roles.ts";
import { findVisitor } from "#shop/people/sessions/open-session.ts";
import type { SignedIn } from "#shop/people/sessions/session.ts";
import { signIn, type SignInTerms } from "#shop/people/sessions/sign-in.ts";

import {
  openTestShop,
  sharedShop,
  type TestShop,
  type TestShopOptions,
} from "../../support/shop.ts";

export const PASSWORD = "seven quiet goats on a hill";
export const PLACE = { device: "Firefox on Linux", network: "192.0.2.0/24", isBrief: false };

export class TestDoor implements AsyncDisposable {
  readonly shop: TestShop;
  /** The delays before answers that were not none, milliseconds. */
  readonly delays: number[] = [];
  /** The hashes that passwords were verified against. */
  readonly verified: string[] = [];
  /** What came of each password and hash: to verify them takes 40 ms of a core, and never comes out otherwise. */
  readonly #outcomes = new Map<string, boolean>();
  #people: PeopleShop | undefined;

  constructor(shop: TestShop) {
    this.shop = shop;
  }

  /** The people of live mode. */
  get people(): PeopleShop {
    this.#people ??= this.#open();
    return this.#people;
  }

  #open(): PeopleShop {
    const { live } = this.shop.duka.shops;
    return {
      ...live,
      delay: async (milliseconds) => {
        if (milliseconds > 0) this.delays.push(milliseconds);
      },
      passwords: {
        hash: (password) => live.passwords.hash(password),
        verify: (password, hash) => {
          this.verified.push(hash);
          return this.#verifyOnce(password, hash);
        },
      },
    };
  }

  get database() {
    return this.people.database;
  }

  /** A link as the command line makes it. */
  link(link: NewLink): Promise<string> {
    return this.database.write((tx) => makeLink(tx, link), { actor: operator });
  }

  /** The first owner, signed in. */
  async owner(name = "Ama"): Promise<SignedIn> {
    return this.take(await this.link({ kind: "first_owner", by: null }), name);
  }

  /** A person who was invited, signed in; in a shared shop with a number in the name. */
  async invited(role: Role, name: string): Promise<SignedIn> {
    const number = this.shop.nextNumber();
    const own = number === null ? name : `${name} ${number}`;
    return this.take(await this.link({ kind: "invitation", role, by: null }), own);
  }

  async take(token: string, name = "", password = PASSWORD): Promise<SignedIn> {
    const terms = { ...PLACE, token, name, password, host: "goods.example" };
    const entered = await takeLink(this.people, terms);
    if (entered === null) throw new Error("The link let nobody in.");
    return entered;
  }

  signIn(given: Partial<SignInTerms> = {}): Promise<SignedIn> {
    return signIn(this.people, {
      ...PLACE,
      name: "Ama",
      password: PASSWORD,
      known: null,
      ...given,
    });
  }

  /** A guess that fails. */
  async guess(given: Partial<SignInTerms> = {}): Promise<string> {
    return codeOf(this.signIn({ password: "not the password at all", ...given }));
  }

  /** Whether the token opens a session now. */
  async opens(token: string): Promise<boolean> {
    return (await findVisitor(this.database.read, token, this.people.clock.now())) !== null;
  }

  /** The acts in the audit log, oldest first, without those of the shop's start. */
  async acts(): Promise<{ action: string; actor: string; subject: string | null }[]> {
    const { rows } = await listEntries(this.database.read, {}, { limit: 100, after: null });
    return rows.toReversed().map(({ action, actor, subject }) => ({ action, actor, subject }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.shop[Symbol.asyncDispose]();
  }

  async #verifyOnce(password: string, hash: string): Promise<boolean> {
    const pair = `${hash} ${password}`;
    const { passwords } = this.shop.live;
    const isSame = this.#outcomes.get(pair) ?? (await passwords.verify(password, hash));
    this.#outcomes.set(pair, isSame);
    return isSame;
  }
}

export async function openDoor(options: TestShopOptions = {}): Promise<TestDoor> {
  return new TestDoor(await openTestShop(options));
}

/**
 * The same for all tests of the file, where the owner Ama has signed in. Each test invites the people that it asserts
 * about; one that asserts about delays or about all guesses and links needs a door of its own.
 */
export function sharedDoor(): TestDoor {
  const door = new TestDoor(sharedShop());
  beforeAll(async () => {
    await door.owner();
  });
  beforeEach(() => {
    door.delays.length = 0;
    door.verified.length = 0;
  });
  return door;
}

/** The code of the refusal; the promise must be refused. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (typeof error !== "object" || error === null || !("definition" in error)) {
    throw new Error(`Not refused: ${String(error)}`);
  }
  return String(Reflect.get(Object(error.definition), "code"));
}

/** What came of it: `done`, or the code of the refusal. */
export function outcomeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "done",
    (error: unknown) => codeOf(Promise.reject(error)),
  );
}

/** How many there are of each. */
export function countsOf(outcomes: readonly string[]): Record<string, number> {
  const groups = Object.entries(Object.groupBy(outcomes, (outcome) => outcome));
  return Object.fromEntries(groups.map(([outcome, all]) => [outcome, all?.length ?? 0]));
}
