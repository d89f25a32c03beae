// Acts after the sale that cannot be: each is refused with its own code, at the place of its fault, and changes
// nothing.

import { describe, expect, test } from "bun:test";

import { fulfill, standing } from "../sales/orders/counter.ts";
import type { Answered, TestShop } from "../support/shop.ts";
import { handedOver } from "./refund-counter.ts";
import { initialize, orderCounter, paidAtGateway, sharedScriptedShop } from "./scripted-shop.ts";

const shared = sharedScriptedShop();

/** Two mugs at 12.50, paid through the gateway, of which one was shipped; a refund of 5.00 failed. */
async function halfShipped() {
  const { shop, gateway } = shared;
  const place = await orderCounter(shop);
  const [placed, other] = [await place({}, 2), await place({ payment_method: "bank_transfer" })];
  await paidAtGateway(shared, (await initialize(shop, { order_id: placed.id })).id);
  const line = placed.string("/line_items/0/id");
  await fulfill(shop, placed, { line_items: [{ line_item_id: line, quantity: 1 }] });
  gateway.nextRefund = { kind: "failed", gatewayCode: "declined", gatewayRefundId: null };
  const failed = await shop.post(`/v2/orders/${placed.id}/refunds`, { amount: 5 });
  const done = await shop.post(`/v2/orders/${placed.id}/refunds`, { amount: 1 });
  const { payment } = await handedOver(shop, { order: place });
  return {
    shop,
    line,
    otherLine: other.string("/line_items/0/id"),
    paths: {
      order: `/v2/orders/${placed.id}`,
      unpaid: `/v2/orders/${other.id}`,
      failed: `/v2/refunds/${failed.string("/refunds/0/id")}`,
      done: `/v2/refunds/${done.string("/refunds/0/id")}`,
      payment: `/v2/payments/${payment.id}`,
    },
  };
}

type Sale = Awaited<ReturnType<typeof halfShipped>>;
type Refused = readonly [
  name: string,
  path: (paths: Sale["paths"]) => string,
  body: (sale: Sale) => object,
  expected: readonly string[],
];

const refunds = ({ order }: Sale["paths"]) => `${order}/refunds`;
const returns = ({ order }: Sale["paths"]) => `${order}/returns`;
const units =
  (...rows: readonly object[]) =>
  ({ line, otherLine }: Sale) => ({
    line_items: rows.map((row) => ({
      line_item_id: "isOther" in row ? otherLine : line,
      quantity: 1,
      ...Object.fromEntries(Object.entries(row).filter(([name]) => name !== "isOther")),
    })),
  });
const given = (body: object) => () => body;

const everyFault = units({ quantity: 2 }, {}, { isOther: true });
const faultsOf = (more: string) => [
  `422 #/line_items/0/quantity ${more}`,
  "422 #/line_items/1/line_item_id duplicate",
  "422 #/line_items/2/line_item_id unknown_line_item",
];

const refused: readonly Refused[] = [
  ["a return of units, each for its fault", returns, everyFault, faultsOf("more_than_shipped")],
  [
    "a refund of units, each for its fault",
    refunds,
    units({ quantity: 3 }, {}, { isOther: true }),
    faultsOf("more_than_left"),
  ],
  [
    "a refund of more units than are open",
    refunds,
    units({ quantity: 2, from: "open" }),
    ["422 #/line_items/0/quantity more_than_open"],
  ],
  [
    "a refund of units that have not left",
    refunds,
    units({ quantity: 2, from: "shipped" }),
    ["422 #/line_items/0/quantity more_than_shipped"],
  ],
  [
    "a return of what never left",
    ({ unpaid }) => `${unpaid}/returns`,
    units({ isOther: true }),
    ["422 #/line_items/0/quantity more_than_shipped"],
  ],
  [
    "a return that gives back more than was paid for it",
    returns,
    (sale) => ({ ...units({})(sale), refund: 12.51 }),
    ["422 #/refund more_than_paid"],
  ],
  [
    "a return with too many digits",
    returns,
    (sale) => ({ ...units({})(sale), refund: 1.005 }),
    ["422 #/refund amount_precision"],
  ],
  [
    "a refund of what is not captured",
    refunds,
    given({ amount: 24.01 }),
    ["409 refund_exceeds_captured"],
  ],
  [
    "a refund of an order without money",
    ({ unpaid }) => `${unpaid}/refunds`,
    given({}),
    ["409 refund_exceeds_captured"],
  ],
  [
    "a refund with too many digits",
    refunds,
    given({ amount: 1.005 }),
    ["422 #/amount amount_precision"],
  ],
  [
    "a refund of a line with too many digits",
    refunds,
    units({ amount: "1.005" }),
    ["422 #/line_items/0/amount amount_precision"],
  ],
  [
    "a write-off above what is due",
    ({ unpaid }) => `${unpaid}/write-off`,
    given({ amount: 12.51 }),
    ["422 #/amount amount_exceeds_due"],
  ],
  [
    "a write-off with too many digits",
    ({ unpaid }) => `${unpaid}/write-off`,
    given({ amount: 1.005 }),
    ["422 #/amount amount_precision"],
  ],
  [
    "a write-off where nothing is due",
    ({ order }) => `${order}/write-off`,
    given({ amount: 1 }),
    ["409 invalid_transition"],
  ],
  [
    "a retry of what succeeded",
    ({ done }) => `${done}/retry`,
    given({}),
    ["409 invalid_transition"],
  ],
  ["closing what succeeded", ({ done }) => `${done}/close`, given({}), ["409 invalid_transition"]],
  [
    "a correction with too many digits",
    ({ payment }) => `${payment}/correct`,
    given({ amount: 1.005 }),
    ["422 #/amount amount_precision"],
  ],
];

/** What the answer refuses: the status with each fault, or with its code. */
function refusalOf(answer: Answered): string[] {
  const what = answer.status === 422 ? answer.faults : [answer.code];
  return what.map((one) => `${answer.status} ${one}`);
}

/** All that such an act may change. */
async function shopOf(
  shop: TestShop,
  { payment, failed, done }: Sale["paths"],
): Promise<unknown[]> {
  const rows = await Promise.all([payment, failed, done].map((path) => shop.get(path)));
  return [...(await standing(shop)), ...rows.map(({ body }) => body)];
}

describe("refused without any change is", () => {
  test.each(refused)("%s", async (...[, path, body, expected]) => {
    const sale = await halfShipped();
    const { shop } = sale;
    const before = await shopOf(shop, sale.paths);

    const answer = await shop.post(path(sale.paths), body(sale));

    expect(refusalOf(answer)).toEqual([...expected]);
    expect(await shopOf(shop, sale.paths)).toEqual(before);
  });

  test("cancelling units with every fault at once", async () => {
    const sale = await halfShipped();
    const { shop } = sale;
    const before = await shopOf(shop, sale.paths);

    const headers = { "Idempotency-Key": "units" };
    const answer = await shop.put(`${sale.paths.order}/cancel`, everyFault(sale), { headers });

    expect(refusalOf(answer)).toEqual(faultsOf("more_than_open"));
    expect(await shopOf(shop, sale.paths)).toEqual(before);
  });
});
