// A program whose gateway is a vendor's face in this process: it is killed (SIGKILL) at a step of a call, and started
// again in its folder.

import { expect } from "bun:test";
import { join } from "node:path";

import { endLeases } from "../payments/scripted-shop.ts";
import { type Bundle, bundle } from "../support/bundled.ts";
import { openRunningDuka } from "../support/running-duka.ts";
import type { ScratchFolder } from "../support/scratch.ts";
import { type KillPoint, type MortalVendor, startMortalShop } from "./mortal-shop.ts";

/** The exit code of a process ended by SIGKILL. */
const KILLED = 137;

/** The program, which takes its arguments after the command. */
export function bundleMortalShop(): Promise<Bundle> {
  return bundle(join(import.meta.dir, "serve-until-killed.ts"));
}

/** Asks a program; rejects where it died before it answered. */
export function clientOf({ url }: { readonly url: string }, key: string) {
  return async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return Object(await (await fetch(`${url}${path}`, { method, headers, ...sent })).json());
  };
}

export type Client = ReturnType<typeof clientOf>;

export interface Place {
  readonly scratch: ScratchFolder;
  readonly vendor: MortalVendor;
  /** One that the vendor takes. */
  readonly currency: string;
  readonly face: { readonly server: { readonly url: string }; readonly secret: string };
  /** Pays the order. */
  readonly pay: (ask: Client, order: string) => Promise<Record<string, unknown>>;
}

async function placeOrder(ask: Client, currency: string): Promise<string> {
  await ask("PUT", "/v2/store", { currency });
  const mug = await ask("POST", "/v2/products", { name: "Mug", price: 12.5, stock: 5 });
  const variant = Object(Object(mug["variants"])[0])["id"];
  const line_items = [{ variant_id: variant, quantity: 1 }];
  return String((await ask("POST", "/v2/orders", { line_items }))["id"]);
}

/** Runs the program until it dies of paying an order, or of refunding it. */
export async function runUntilKilled(script: Bundle, place: Place, point: KillPoint) {
  const { scratch, face, vendor, currency, pay } = place;
  const folder = scratch.file("shop");
  const program = [...script.command, folder, vendor, face.server.url, face.secret, point];
  const settings = { DUKA_DATA_DIR: folder };
  const running = await openRunningDuka({ folder: scratch.path, program, settings });
  const { key } = running;
  const ask = clientOf(running, key);
  const order = await placeOrder(ask, currency);
  const paying = pay(ask, order);
  const dying =
    point === "after the refund"
      ? paying.then(({ id }) => ask("POST", `/v2/payments/${String(id)}/refunds`, {}))
      : paying;
  const answer = await dying.then(
    () => "an answer",
    () => "no answer",
  );
  const { code } = await running.ended();
  expect([answer, code]).toEqual(["no answer", KILLED]);
  return { key, order };
}

/** The start after the kill. It is not killed, so it needs no process of its own. */
export async function startAgain({ scratch, face, vendor }: Place) {
  const folder = scratch.file("shop");
  await endLeases(folder);
  const { url: address } = face.server;
  return startMortalShop({ folder, vendor, address, secret: face.secret, point: "never" });
}

export function advance(ask: Client, seconds: number): Promise<unknown> {
  return ask("POST", "/v2/test/clock/advance", { seconds });
}

/** How the order is paid, and what was paid and went back. */
export async function standing(ask: Client, order: string): Promise<unknown[]> {
  const { payment_status, paid_total, refunded_total } = await ask("GET", `/v2/orders/${order}`);
  return [payment_status, paid_total, refunded_total];
}
