// A program that is killed during a payment: after the next start the payment ends as the gateway says.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";

import { openRunningDuka, type RunningDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

let scratch: ScratchFolder;

beforeEach(() => {
  scratch = openScratchFolder();
});

afterEach(() => scratch[Symbol.dispose]());

async function answer(
  duka: RunningDuka,
  [method, path]: readonly [string, string],
  terms: { key?: string; body?: unknown } = {},
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const response = await duka.request(method, path, terms);
  return { status: response.status, body: Object(await response.json()) };
}

/** Places an order of one mug and requests its payment by this phone. */
async function askToPay(duka: RunningDuka, phone: string) {
  const mug = await answer(duka, ["POST", "/v2/products"], {
    body: { name: "Mug", price: 12.5, stock: 5 },
  });
  const variant = Object(Object(mug.body["variants"])[0])["id"];
  const order = await answer(duka, ["POST", "/v2/orders"], {
    body: { line_items: [{ variant_id: variant, quantity: 1 }] },
  });
  const payment = { order_id: order.body["id"], method: "mobile_money", phone };
  const initialized = await answer(duka, ["POST", "/v2/payments/initialize"], { body: payment });
  return { order: String(order.body["id"]), payment: String(initialized.body["id"]), initialized };
}

test.each<[phone: string, before: string, after: string[]]>([
  ["+233551234987", "requires_action", ["succeeded", "paid"]],
  ["+233551234984", "requires_action", ["succeeded", "paid"]],
  ["+233551234988", "pending", ["succeeded", "paid"]],
  ["+233551234981", "requires_action", ["failed", "unpaid"]],
  ["+233551234989", "pending", ["failed", "unpaid"]],
])("a payment by %s is %s when it is killed, and %j afterwards", async (phone, before, after) => {
  const terms = { folder: scratch.path };
  const first = await openRunningDuka(terms);
  const { key } = first;
  const sale = await askToPay(first, phone);
  await first.end("SIGKILL");

  await using second = await openRunningDuka(terms);
  await answer(second, ["POST", "/v2/test/clock/advance"], { key, body: { seconds: 1_200 } });

  expect(sale.initialized.body["status"]).toBe(before);
  const payment = await answer(second, ["GET", `/v2/payments/${sale.payment}`], { key });
  const order = await answer(second, ["GET", `/v2/orders/${sale.order}`], { key });
  expect([payment.body["status"], order.body["payment_status"]]).toEqual(after);
});

test("a refund whose program was killed while sending it is made once", async () => {
  const terms = { folder: scratch.path };
  const first = await openRunningDuka(terms);
  const { key } = first;
  const sale = await askToPay(first, "+233551234980");
  const cancelled = first.request("PUT", `/v2/orders/${sale.order}/cancel`);
  expect((await cancelled).status).toBe(200);
  await first.end("SIGKILL");

  await using second = await openRunningDuka(terms);
  await answer(second, ["POST", "/v2/test/clock/advance"], { key, body: { seconds: 120 } });

  const order = await answer(second, ["GET", `/v2/orders/${sale.order}`], { key });
  expect([order.body["payment_status"], order.body["refunded_total"]]).toEqual(["refunded", 12.5]);
  const events = await (
    await second.request("GET", "/v2/events?event=order.refunded", { key })
  ).text();
  expect(events.match(/"event":"order.refunded"/g)).toHaveLength(1);
});
