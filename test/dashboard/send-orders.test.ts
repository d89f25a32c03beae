// Several orders of the list marked as sent at once.

import { afterAll, beforeAll, expect, test } from "bun:test";

import {
  type DashboardShop,
  openDashboard,
  type SeenPage,
  type Visitor,
} from "./dashboard-shop.ts";

const PATH = "/dashboard/test/orders";

let dashboard: DashboardShop;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

interface Placed {
  readonly id: string;
  readonly number: number;
}

/** An order of one mug that is paid at the door, which is to be packed at once. */
async function place(): Promise<Placed> {
  const placed = await dashboard.shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "10.00", quantity: 1 }],
    payment_method: "cash_on_delivery",
  });
  expect(placed.status).toBe(201);
  return { id: placed.string("/id"), number: placed.number("/number") };
}

async function sendingOf({ id }: Placed): Promise<string> {
  return (await dashboard.shop.get(`/v2/orders/${id}`)).string("/fulfillment_status");
}

/** The values of the boxes on the page, by the ids of their orders. */
function boxesOn({ html }: SeenPage): Map<string, string> {
  const values = [...html.matchAll(/type="checkbox"[^>]*value="((ord_\w+)[^"]*)"/g)];
  return new Map(values.map(([, value = "", id = ""]) => [id, value]));
}

/** Ticks the orders on the page that was seen, and sends the form. */
async function mark(
  visitor: Visitor,
  seen: SeenPage,
  orders: readonly Placed[],
): Promise<SeenPage> {
  const boxes = boxesOn(seen);
  const ticked = orders.map(({ id }): [string, string] => ["order", boxes.get(id) ?? ""]);
  return visitor.send(`${PATH}/send`, ticked);
}

test("the orders that were ticked are marked as sent, and no others", async () => {
  const [first, second, other] = [await place(), await place(), await place()];
  const { owner } = dashboard;

  const sent = await mark(owner, await owner.get(PATH), [first, second]);

  expect(sent.location).toStartWith(`${PATH}?order=`);
  expect(sent.location).toEndWith("&done=sent");
  expect(await Promise.all([first, second, other].map(sendingOf))).toEqual([
    "fulfilled",
    "fulfilled",
    "unfulfilled",
  ]);
});

/** Presses Undo in the note of what was marked as sent. */
async function undo(visitor: Visitor, sent: SeenPage): Promise<SeenPage> {
  const { html } = await visitor.get(sent.location, { "Sec-Fetch-Site": "same-origin" });
  const form = /action="[^"]*\/unsend">(.*?)<\/form>/s.exec(html)?.[1] ?? "";
  const orders = [...form.matchAll(/name="order" value="([^"]*)"/g)];
  return visitor.send(
    `${PATH}/unsend`,
    orders.map(([, value = ""]): [string, string] => ["order", value]),
  );
}

test("what was marked as sent at once is undone at once", async () => {
  const [first, second] = [await place(), await place()];
  const { owner } = dashboard;
  const sent = await mark(owner, await owner.get(PATH), [first, second]);

  const undone = await undo(owner, sent);

  expect(undone.location).toBe(`${PATH}?done=undone`);
  expect(await Promise.all([first, second].map(sendingOf))).toEqual(["unfulfilled", "unfulfilled"]);
});

test("an order that changed after it was marked as sent stays so, and the others are undone", async () => {
  const [first, second] = [await place(), await place()];
  const { owner, shop } = dashboard;
  const sent = await mark(owner, await owner.get(PATH), [first, second]);
  await shop.put(`/v2/orders/${first.id}`, { notes: "Ring twice" });

  const refused = await undo(owner, sent);

  expect(refused.status).toBe(409);
  expect(refused.text).toContain("1 order is to pack again. This one is not:");
  expect(refused.text).toContain(`#${first.number}: it was changed in the meantime.`);
  expect(await Promise.all([first, second].map(sendingOf))).toEqual(["fulfilled", "unfulfilled"]);
});

test("an order that changed meanwhile is named with its reason, and the others stay sent", async () => {
  const [cancelled, changed, sent] = [await place(), await place(), await place()];
  const { owner, shop } = dashboard;
  const seen = await owner.get(PATH);
  await shop.put(`/v2/orders/${cancelled.id}/cancel`, {});
  await shop.put(`/v2/orders/${changed.id}`, { notes: "Ring twice" });

  const refused = await mark(owner, seen, [cancelled, changed, sent]);

  expect(refused.status).toBe(409);
  expect(refused.text).toContain("1 order is marked as sent. These are not:");
  expect(refused.text).toContain(`#${cancelled.number}: it was changed in the meantime.`);
  expect(refused.text).toContain(`#${changed.number}: it was changed in the meantime.`);
  expect(boxesOn(refused).has(changed.id)).toBe(true);
  expect(await sendingOf(sent)).toBe("fulfilled");
  expect(await sendingOf(changed)).toBe("unfulfilled");
});

test("what stands against an order is said in its own words", async () => {
  const order = await place();
  const { owner, shop } = dashboard;
  await shop.put(`/v2/orders/${order.id}/cancel`, {});
  const { id, number } = order;
  const version = (await shop.get(`/v2/orders/${id}`)).number("/version");

  const refused = await owner.send(`${PATH}/send`, { order: `${id} ${version} ${number}` });

  expect(refused.text).toContain("No order is marked as sent. This one is not:");
  expect(refused.text).toMatch(new RegExp(`#${number}: [^.]*cancelled`));
});

test("the form sent twice at the same time sends each order once", async () => {
  const orders = [await place(), await place()];
  const { owner, shop } = dashboard;
  const seen = await owner.get(PATH);

  const answers = await Promise.all([mark(owner, seen, orders), mark(owner, seen, orders)]);

  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  for (const { id } of orders) {
    expect((await shop.get(`/v2/orders/${id}`)).list("/fulfillments")).toHaveLength(1);
  }
});

test("a form without a tick says what is missing", async () => {
  const refused = await dashboard.owner.send(`${PATH}/send`, {});

  expect(refused.status).toBe(422);
  expect(refused.text).toContain("First tick the orders that were sent.");
});

test("only orders that are to be packed have a box", async () => {
  const order = await place();
  const waiting = await dashboard.shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "10.00", quantity: 1 }],
    payment_method: "bank_transfer",
  });

  const boxes = boxesOn(await dashboard.owner.get(`${PATH}?show=all`));

  expect(boxes.has(order.id)).toBe(true);
  expect(boxes.has(waiting.string("/id"))).toBe(false);
});

test("a viewer has no boxes, and is refused", async () => {
  const order = await place();
  const seen = await dashboard.owner.get(PATH);
  const viewer = await dashboard.join("viewer", "Efua");

  const refused = await mark(viewer, seen, [order]);

  expect(boxesOn(await viewer.get(PATH)).size).toBe(0);
  expect(refused.status).toBe(409);
  expect(await sendingOf(order)).toBe("unfulfilled");
});
