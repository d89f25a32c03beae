// Customers of tests who sign in.

import { beforeAll } from "bun:test";

import type { HookMessage } from "#accounts/hook/hook.ts";
import { assume } from "#kernel/assume.ts";
import type { CallOut, OutboundCall } from "#platform/net/call-out.ts";
import { magicValues } from "#sandbox/simulated-gateway/magic.ts";

import {
  type Answered,
  openTestShop,
  sharedShop,
  type TestShop,
  type TestShopOptions,
} from "../support/shop.ts";

export const EMAIL = "ada@example.com";
/** A magic phone. */
export const PHONE = "+233551234980";
export const MAGIC = "000000";

interface Contact {
  readonly email?: string;
  readonly phone?: string;
}

/** A shop with the key of its web pages. */
export async function openAccounts(options: TestShopOptions = {}) {
  const shop = await openTestShop({ asks: "nothing", ...options });
  const key = await shop.createKey({ scopes: ["storefront"] });
  return { shop, key, [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose]() };
}

/** One shop with the key of its web pages, for all tests of the file. */
export function sharedAccounts(): { readonly shop: TestShop; readonly key: string } {
  const shop = sharedShop({ asks: "nothing" });
  let key = "";
  beforeAll(async () => {
    key = await shop.createKey({ scopes: ["storefront"] });
  });
  return {
    shop,
    get key() {
      return key;
    },
  };
}

const magicPhones = magicValues.filter(({ kind }) => kind === "phone").map(({ value }) => value);
const contactsMade = new WeakMap<TestShop, number>();

/** Magic contacts that no other test of the shop has: a customer's, and the email of somebody else. */
export function contactsIn(shop: TestShop) {
  const number = contactsMade.get(shop) ?? 0;
  contactsMade.set(shop, number + 1);
  const phone = magicPhones[number];
  if (phone === undefined) throw new Error("No magic phone is left.");
  return { email: `ama${number}@example.com`, phone, stranger: `mallory${number}@example.com` };
}

/** Headers of a customer. */
export function as(token: string) {
  return { headers: { "Customer-Token": token } };
}

/** Gives the magic code of the contact, after one was asked for. */
export async function signIn(shop: TestShop, contact: Contact): Promise<Answered> {
  await shop.post("/v2/customer-sessions/code", contact);
  return shop.post("/v2/customer-sessions", { ...contact, code: MAGIC });
}

/** The token of a customer who signed in. */
export async function tokenOf(shop: TestShop, contact: Contact): Promise<string> {
  return (await signIn(shop, contact)).string("/token");
}

/** An order of one unit with this contact. */
export function orderOf(variantId: string, customer: object): object {
  return {
    customer,
    line_items: [{ variant_id: variantId, quantity: 1 }],
    payment_method: "cash_on_delivery",
  };
}

/** The ids of the orders that the customer sees. */
export async function ordersSeen(shop: TestShop, token: string): Promise<unknown[]> {
  const found = await shop.get("/v2/me/orders", as(token));
  return found.list("/data").map((order) => Object(order).id);
}

/** Takes messages in place of the network, and tells the next one. */
export function openHook(status = 204) {
  const calls: OutboundCall[] = [];
  let arrived = Promise.withResolvers<OutboundCall>();
  const callOut: CallOut = async (call) => {
    calls.push(call);
    arrived.resolve(call);
    arrived = Promise.withResolvers();
    const plain = { failure: null, address: null, headers: null, excerpt: "", durationMs: 1 };
    return { status, ...plain };
  };
  return { calls, callOut, next: () => arrived.promise };
}

/** What the hook was sent. */
export function messageIn({ body }: OutboundCall): HookMessage {
  return assume<HookMessage>(JSON.parse(String(body)));
}
