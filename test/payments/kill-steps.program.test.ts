// A program that is killed (SIGKILL) at each step of initializing, polling and refunding a payment. The
// gateway's ledger outlives it: after the next start the payment ends as the ledger says, and one
// idempotency key has charged once.

import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { join } from "node:path";

import { type Bundle, bundle } from "../support/bundled.ts";
import { openRunningDuka, type RunningDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { type KillPoint, Ledger } from "./ledger-gateway.ts";
import { startLedgerShop } from "./ledger-shop.ts";
import { endLeases } from "./scripted-shop.ts";

setDefaultTimeout(60_000);

/** The exit code of a process ended by SIGKILL. */
const KILLED = 137;

let script: Bundle;
let scratch: ScratchFolder;
let ledger: Ledger;

beforeAll(async () => {
  script = await bundle(join(import.meta.dir, "serve-until-killed.ts"));
});

afterAll(() => script[Symbol.dispose]());

beforeEach(() => {
  scratch = openScratchFolder();
  ledger = new Ledger(scratch.file("ledger"));
});

afterEach(() => scratch[Symbol.dispose]());

async function start(point: KillPoint): Promise<RunningDuka> {
  const shop = scratch.file("shop");
  const program = [...script.command, shop, scratch.file("ledger"), point];
  return openRunningDuka({ folder: scratch.path, program, settings: { DUKA_DATA_DIR: shop } });
}

/** A program that serves requests. */
type Serving = Pick<RunningDuka, "url">;

/** The start after the kill. It is not killed, so it needs no process of its own. */
async function startAgain(): Promise<Serving & AsyncDisposable> {
  const [folder, file] = [scratch.file("shop"), scratch.file("ledger")];
  await endLeases(folder);
  const duka = await startLedgerShop({ folder, ledger: file, point: "none" });
  return { url: duka.url, [Symbol.asyncDispose]: () => duka.stop() };
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

interface Sending {
  readonly key: string;
  readonly body?: unknown;
  readonly once?: string;
}

/** The response; null if the server died first. */
async function send(
  duka: Serving,
  [method, path]: readonly [string, string],
  { key, body, once }: Sending,
): Promise<Answer | null> {
  try {
    const response = await fetch(`${duka.url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(once === undefined ? {} : { "Idempotency-Key": once }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: Object(await response.json()) };
  } catch {
    return null;
  }
}

/** Places an order of one mug; returns its id. */
async function placeOrder(duka: Serving, key: string): Promise<string> {
  const mug = await send(duka, ["POST", "/v2/products"], {
    key,
    body: { name: "Mug", price: 12.5, stock: 5 },
  });
  const variant = Object(Object(mug?.body["variants"])[0])["id"];
  const body = { line_items: [{ variant_id: variant, quantity: 1 }] };
  const order = await send(duka, ["POST", "/v2/orders"], { key, body });
  return String(order?.body["id"]);
}

function pay(duka: Serving, key: string, order: string): Promise<Answer | null> {
  const body = { order_id: order, method: "mobile_money", phone: "+233551234000" };
  return send(duka, ["POST", "/v2/payments/initialize"], { key, body, once: "basket-1" });
}

function advance(duka: Serving, key: string, seconds: number): Promise<Answer | null> {
  return send(duka, ["POST", "/v2/test/clock/advance"], { key, body: { seconds } });
}

/** The states of the shop's only payment and its order, and the events of both. */
async function standing(duka: Serving, key: string, order: string) {
  const payments = await send(duka, ["GET", "/v2/payments"], { key });
  const list: unknown[] = Object(payments?.body["data"]);
  const placed = await send(duka, ["GET", `/v2/orders/${order}`], { key });
  const events = await send(duka, ["GET", "/v2/events?limit=100"], { key });
  const emitted: unknown[] = Object(events?.body["data"]);
  return {
    payments: list.map((one) => Object(one)["status"]),
    order: placed?.body["payment_status"],
    paidEvents: emitted.filter((one) => Object(one)["event"] === "order.paid").length,
  };
}

/** The first request to pay, which kills the program. */
async function payAndDie(point: KillPoint) {
  const first = await start(point);
  const { key } = first;
  const order = await placeOrder(first, key);
  const answer = await pay(first, key, order);
  expect(answer).toBeNull();
  expect((await first.ended()).code).toBe(KILLED);
  return { key, order };
}

const paid = { payments: ["succeeded"], order: "paid", paidEvents: 1 };
const failed = { payments: ["failed"], order: "unpaid", paidEvents: 0 };

test("killed before the gateway was called, the same key does not charge: the call may have left", async () => {
  const { key, order } = await payAndDie("before the call");
  expect(ledger.charges).toEqual([]);

  await using second = await startAgain();
  const first = await pay(second, key, order);
  const again = await pay(second, key, order);
  await advance(second, key, 1_200);

  expect([first?.status, first?.body["status"]]).toEqual([201, "pending"]);
  expect(again?.body["id"]).toBe(first?.body["id"]);
  expect(ledger.charges).toEqual([]);
  expect(await standing(second, key, order)).toEqual(failed);
});

test("killed before the gateway was called and never retried, the payment fails", async () => {
  const { key, order } = await payAndDie("before the call");

  await using second = await startAgain();
  await advance(second, key, 1_200);

  expect(ledger.charges).toEqual([]);
  expect(await standing(second, key, order)).toEqual(failed);
});

test.each<[point: KillPoint, became: "paid" | "declined"]>([
  ["during the call", "paid"],
  ["during the call", "declined"],
  ["after the answer", "paid"],
  ["after the answer", "declined"],
])("killed %s, a payment that was %s meanwhile ends so", async (point, became) => {
  const { key, order } = await payAndDie(point);
  expect(ledger.charges).toHaveLength(1);
  ledger.note(became, ledger.charges[0] ?? "");

  await using second = await startAgain();
  const first = await pay(second, key, order);
  await advance(second, key, 1_200);
  const again = await pay(second, key, order);

  expect([first?.status, again?.status]).toEqual([201, 201]);
  expect(again?.body["id"]).toBe(first?.body["id"]);
  expect(ledger.charges).toHaveLength(1);
  expect(await standing(second, key, order)).toEqual(became === "paid" ? paid : failed);
});

test.each<[point: KillPoint]>([["during the call"], ["after the answer"]])(
  "killed %s, a payment that is made after the start is found, and not charged twice",
  async (point) => {
    const { key, order } = await payAndDie(point);

    await using second = await startAgain();
    await pay(second, key, order);
    ledger.note("paid", ledger.charges[0] ?? "");
    await advance(second, key, 1_200);

    expect(ledger.charges).toHaveLength(1);
    expect(await standing(second, key, order)).toEqual(paid);
  },
);

test.each<[point: KillPoint]>([["during a poll"], ["after a poll"]])(
  "killed %s, the payment is found paid after the start, once",
  async (point) => {
    const first = await start(point);
    const { key } = first;
    const order = await placeOrder(first, key);
    await pay(first, key, order);
    ledger.note("paid", ledger.charges[0] ?? "");
    expect(await advance(first, key, 15)).toBeNull();
    expect((await first.ended()).code).toBe(KILLED);

    await using second = await startAgain();
    await advance(second, key, 1);

    expect(await standing(second, key, order)).toEqual(paid);
  },
);

test.each<[point: KillPoint, found: string]>([
  ["during a refund", "pending"],
  ["after a refund", "succeeded"],
])(
  "killed %s, the refund is %s when it is asked for again, and the money goes back once",
  async (point, found) => {
    const first = await start(point);
    const { key } = first;
    const order = await placeOrder(first, key);
    const payment = await pay(first, key, order);
    ledger.note("paid", ledger.charges[0] ?? "");
    await advance(first, key, 15);
    const path = `/v2/payments/${String(payment?.body["id"])}/refunds`;
    const terms = { key, body: {}, once: "back-1" };
    expect(await send(first, ["POST", path], terms)).toBeNull();
    expect((await first.ended()).code).toBe(KILLED);

    await using second = await startAgain();
    const again = await send(second, ["POST", path], terms);
    await advance(second, key, 3_600);

    expect([again?.status, again?.body["status"]]).toEqual([201, found]);
    expect(ledger.refunds).toHaveLength(1);
    expect(await standing(second, key, order)).toEqual({
      payments: ["refunded"],
      order: "refunded",
      paidEvents: 1,
    });
  },
);

test.each<[point: KillPoint]>([["during a retry"], ["after a retry"]])(
  "killed %s of a failed refund, the money goes back once",
  async (point) => {
    const first = await start(point);
    const { key } = first;
    const order = await placeOrder(first, key);
    const payment = await pay(first, key, order);
    ledger.note("paid", ledger.charges[0] ?? "");
    await advance(first, key, 15);
    const refunds = `/v2/payments/${String(payment?.body["id"])}/refunds`;
    const refused = await send(first, ["POST", refunds], { key, body: {} });
    const refund = `/v2/refunds/${String(refused?.body["id"])}`;
    expect(await send(first, ["POST", `${refund}/retry`], { key })).toBeNull();
    expect((await first.ended()).code).toBe(KILLED);

    await using second = await startAgain();
    await advance(second, key, 1_200);
    const after = await send(second, ["GET", refund], { key });

    expect([refused?.body["status"], after?.body["status"]]).toEqual(["failed", "succeeded"]);
    expect(ledger.refunds).toHaveLength(1);
  },
);
