// A program that is killed (SIGKILL) at each step of charging a card and of refunding it at Stripe. After the next
// start the order ends as the vendor's books say, and there is one charge and one refund at most.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";

import { endLeases } from "../../payments/scripted-shop.ts";
import { type Bundle, bundle } from "../../support/bundled.ts";
import { openRunningDuka } from "../../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";
import { openStripeFace, type StripeFace } from "./face/stripe-face.ts";
import { type KillPoint, startMortalShop } from "./mortal-shop.ts";

setDefaultTimeout(60_000);

/** The exit code of a process ended by SIGKILL. */
const KILLED = 137;

let script: Bundle;

beforeAll(async () => {
  script = await bundle(join(import.meta.dir, "serve-until-killed.ts"));
});

afterAll(() => script[Symbol.dispose]());

/** Asks a program; rejects where it died before it answered. */
function clientOf({ url }: { readonly url: string }, key: string) {
  return async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return Object(await (await fetch(`${url}${path}`, { method, headers, ...sent })).json());
  };
}

type Client = ReturnType<typeof clientOf>;

async function placeOrder(ask: Client): Promise<string> {
  const mug = await ask("POST", "/v2/products", { name: "Mug", price: 12.5, stock: 5 });
  const variant = Object(Object(mug["variants"])[0])["id"];
  const line_items = [{ variant_id: variant, quantity: 1 }];
  return String((await ask("POST", "/v2/orders", { line_items }))["id"]);
}

const payByCard = (ask: Client, order_id: string) =>
  ask("POST", "/v2/payments/initialize", { order_id, method: "card", card_token: "pm_card_visa" });

const advance = (ask: Client, seconds: number) =>
  ask("POST", "/v2/test/clock/advance", { seconds });

interface Place {
  readonly scratch: ScratchFolder;
  readonly face: StripeFace;
}

/** Runs the program until it dies of the work. */
async function runUntilKilled({ scratch, face }: Place, point: KillPoint) {
  const folder = scratch.file("shop");
  const program = [...script.command, folder, face.server.url, face.secret, point];
  const settings = { DUKA_DATA_DIR: folder };
  const running = await openRunningDuka({ folder: scratch.path, program, settings });
  const { key } = running;
  const ask = clientOf(running, key);
  const order = await placeOrder(ask);
  const paying = payByCard(ask, order);
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
async function startAgain({ scratch, face }: Place) {
  const folder = scratch.file("shop");
  await endLeases(folder);
  const { url: address } = face.server;
  return startMortalShop({ folder, address, secret: face.secret, point: "never" });
}

async function standing(ask: Client, order: string) {
  const { payment_status, paid_total, refunded_total } = await ask("GET", `/v2/orders/${order}`);
  return [payment_status, paid_total, refunded_total];
}

test.each<KillPoint>(["before the name", "after the name"])(
  "killed %s was written down, a card was not charged, and the order can be paid again",
  async (point) => {
    using scratch = openScratchFolder();
    await using face = await openStripeFace();
    const { key, order } = await runUntilKilled({ scratch, face }, point);
    const charged = face.account.charges.all().length;

    const duka = await startAgain({ scratch, face });
    const ask = clientOf(duka, key);
    await advance(ask, 1200);
    const first = await standing(ask, order);
    await payByCard(ask, order);
    const second = await standing(ask, order);
    await duka.stop();

    expect(charged).toBe(0);
    expect([first, second]).toEqual([
      ["unpaid", 0, 0],
      ["paid", 12.5, 0],
    ]);
    expect(face.account.charges.all()).toHaveLength(1);
  },
);

test("killed after the answer, a card that was charged has paid the order, once", async () => {
  using scratch = openScratchFolder();
  await using face = await openStripeFace();
  const { key, order } = await runUntilKilled({ scratch, face }, "after the answer");

  const duka = await startAgain({ scratch, face });
  const ask = clientOf(duka, key);
  await payByCard(ask, order);
  await advance(ask, 1200);
  const ended = await standing(ask, order);
  await duka.stop();

  expect(ended).toEqual(["paid", 12.5, 0]);
  expect(face.account.charges.all()).toHaveLength(1);
});

test("killed after a refund, it is found under its name and not paid twice", async () => {
  using scratch = openScratchFolder();
  await using face = await openStripeFace();
  const { key, order } = await runUntilKilled({ scratch, face }, "after the refund");

  const duka = await startAgain({ scratch, face });
  const ask = clientOf(duka, key);
  await advance(ask, 3 * 3600);
  const ended = await standing(ask, order);
  await duka.stop();

  expect(ended).toEqual(["refunded", 12.5, 12.5]);
  expect(face.account.refunds.all()).toHaveLength(1);
  expect(face.account.books.faults()).toEqual([]);
});
