// The packing slips of several orders on one page, and marking all of them as sent.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";

const PATH = "/dashboard/test/orders";

let dashboard: DashboardShop;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

/** An order that is paid at the door: its box and its number. */
async function place(item: string): Promise<{ box: string; id: string; number: number }> {
  const placed = await dashboard.shop.post("/v2/orders", {
    line_items: [{ name: item, unit_price: "10.00", quantity: 2 }],
    payment_method: "cash_on_delivery",
  });
  const [id, number] = [placed.id, placed.number("/number")];
  return { id, number, box: `${id} ${placed.number("/version")} ${number}` };
}

function slipsOf(...boxes: readonly string[]): string {
  const query = new URLSearchParams(boxes.map((box): [string, string] => ["order", box]));
  return `${PATH}/slips?${query.toString()}`;
}

test("the orders that were ticked have a slip each, without prices, and the others none", async () => {
  const [mug, soap, other] = [await place("Mug"), await place("Soap"), await place("Tray")];

  const { text } = await dashboard.owner.get(slipsOf(mug.box, soap.box));

  expect(text).toContain("2 packing slips");
  expect(text).toMatch(new RegExp(`order ${mug.number} .* 2 Mug .*order ${soap.number} .* 2 Soap`));
  expect(text).not.toContain(`order ${other.number}`);
  expect(text).not.toMatch(/\d\.\d\d|USD/);
});

test("a slip and the order's page tell all that is known of an item, and the receipt what its customer may see", async () => {
  const { owner, shop } = dashboard;
  const metadata = { public_gift_note: "For <Ada>", bin: "A4", public_tally: 2 };
  const placed = await shop.post("/v2/orders", {
    line_items: [{ name: "Bowl", unit_price: "10.00", quantity: 1, metadata }],
  });

  const read = async (path: string) => (await owner.get(`${PATH}/${placed.id}${path}`)).html;

  for (const html of [await read("/slip"), await read("")]) {
    expect(html).toContain("gift note: For &lt;Ada&gt;");
    expect(html).toContain("bin: A4");
    expect(html).toContain("tally: 2");
  }
  const receipt = await read("/receipt");
  expect(receipt).toContain("gift note: For &lt;Ada&gt;");
  expect(receipt).not.toContain("A4");
});

test("without a tick there is a slip for each order to pack", async () => {
  const [waiting, sent] = [await place("Lamp"), await place("Rug")];
  await dashboard.shop.put(`/v2/orders/${sent.id}/fulfill`, {});

  const list = await dashboard.owner.get(PATH);
  const { text } = await dashboard.owner.get(`${PATH}/slips`);

  expect(list.html).toContain(`href="${PATH}/slips"`);
  expect(text).toContain(`order ${waiting.number}`);
  expect(text).not.toContain(`order ${sent.number}`);
});

test("what was packed by the slips is marked as sent by one button", async () => {
  const { owner, shop } = dashboard;
  const [first, second] = [await place("Mug"), await place("Soap")];
  const page = await owner.get(slipsOf(first.box, second.box));
  const boxes = [...page.html.matchAll(/name="order" value="([^"]+)"/g)];

  const sent = await owner.sendAndFollow(
    `${PATH}/send`,
    boxes.map(([, box = ""]): [string, string] => ["order", box]),
  );

  expect(sent.text).toContain("Marked as sent.");
  for (const { id } of [first, second]) {
    expect((await shop.get(`/v2/orders/${id}`)).at("/fulfillment_status")).toBe("fulfilled");
  }
});

test("an order that is gone has no slip, and a viewer marks nothing as sent", async () => {
  const viewer = await dashboard.join("viewer", "Efua");
  const { box, number } = await place("Mug");

  const { text, html } = await viewer.get(slipsOf(box, "ord_00000000000000000000000000 1 7"));

  expect(text).toContain("1 packing slip");
  expect(text).toContain(`order ${number}`);
  expect(html).not.toContain(`${PATH}/send`);
});
