// What people of a shop are told of its day: in their browsers and by email.

import { describe, expect, test } from "bun:test";

import { isObject } from "#kernel/assume.ts";
import { DAY_MS, HOUR_MS } from "#kernel/time.ts";
import type { AlertRulesGiven } from "#shop/people/alert-rules.ts";
import { setAlertRules } from "#shop/people/choose-alerts.ts";
import { getPersonByName } from "#shop/people/lookups.ts";
import { endSessions } from "#shop/people/sessions/open-session.ts";
import { listSubscriptions } from "#shop/people/sessions/queries.ts";

import { type AlertShop, tellDue, textOf } from "./alert-shop.ts";
import { openPushShop, type PushShop, subscribe } from "./push-shop.ts";

/** An order that is paid by hand. */
async function placeOrder({ opened: { shop }, key }: PushShop, paid = false): Promise<string> {
  const { id } = await shop.post(
    "/v2/orders",
    {
      line_items: [{ name: "Mug", unit_price: 12.5, quantity: 2 }],
      customer: { name: "Efua Mensah", phone: "+233241234567", email: "efua@example.com" },
      payment_method: "bank_transfer",
      ...(paid ? { paid: { method: "bank_transfer" } } : {}),
    },
    { key },
  );
  return id;
}

const titleOf = ({ payload }: { readonly payload: unknown }) =>
  isObject(payload) ? payload["title"] : null;

const choose = (opened: AlertShop, name: string, rules: AlertRulesGiven) =>
  opened.shop.live.database.write(async (tx) => {
    await setAlertRules(tx, await getPersonByName(tx, name), rules);
  });

describe("an order", () => {
  test("is told to the owner's browser and by email, without a name or a phone", async () => {
    await using pushed = await openPushShop();
    const { opened, service } = pushed;
    const id = await placeOrder(pushed);

    const emails = await opened.told();

    const [message, ...others] = service.heard;
    expect(others).toEqual([]);
    expect(message?.payload).toEqual({
      title: "New order 1001",
      body: expect.stringMatching(/^.*25\.00 · 2 items · Bank transfer$/),
      tag: id,
      url: expect.stringMatching(new RegExp(`/dashboard/orders/${id}$`)),
    });
    expect(message?.contact).toMatch(/^(?:mailto|http)/);
    expect(message?.headers.get("ttl")).toBe("14400");
    expect(message?.headers.get("urgency")).toBe("high");
    const email = emails.at(-1);
    expect(email?.headers.get("subject")).toBe("New order 1001: My shop");
    const told = JSON.stringify(message?.payload) + textOf(email);
    expect(told).not.toMatch(/Efua|Mensah|233241234567/);
  });

  test("is told once, however often the log is read", async () => {
    await using pushed = await openPushShop();
    await placeOrder(pushed);
    await pushed.opened.told();
    await pushed.opened.told();

    expect(pushed.service.heard).toHaveLength(1);
  });

  test("is told after many events that call for no alert", async () => {
    await using pushed = await openPushShop();
    const { opened, service, key } = pushed;
    for (let count = 0; count < 60; count += 1)
      await opened.shop.post("/v2/customers", {}, { key });
    await placeOrder(pushed);
    await opened.told();

    expect(service.heard.map(titleOf)).toEqual(["New order 1001"]);
  });

  test("that is placed and paid at once is told once", async () => {
    await using pushed = await openPushShop();
    await placeOrder(pushed, true);
    await pushed.opened.told();

    expect(pushed.service.heard.map(titleOf)).toEqual(["New order 1001"]);
  });

  test("that is paid later is told again, as paid", async () => {
    await using pushed = await openPushShop();
    const { opened, service, key } = pushed;
    const order = await placeOrder(pushed);
    await opened.told();
    opened.shop.clock.advance(1_000);
    await opened.shop.post(
      "/v2/payments/initialize",
      { order_id: order, method: "bank_transfer" },
      { key },
    );
    const opens = await opened.shop.get(`/v2/payments?order_id=${order}`, { key });
    await opened.shop.post(
      `/v2/payments/${opens.string("/data/0/id")}/confirm`,
      { amount: 25 },
      { key },
    );
    await opened.told();

    expect(service.heard.map(titleOf)).toEqual(["New order 1001", "Order 1001 is paid"]);
  });

  test("in a flood becomes six messages, of which the last counts the others", async () => {
    await using pushed = await openPushShop();
    const { opened, service } = pushed;
    for (let count = 0; count < 12; count += 1) await placeOrder(pushed);
    await opened.told();
    const before = service.heard.length;
    opened.shop.clock.advance(61_000);
    await opened.told();

    expect(before).toBe(5);
    expect(service.heard).toHaveLength(6);
    expect(service.heard.at(-1)?.payload).toMatchObject({ title: "7 new orders", tag: "order" });
  });

  test("of a counter is not told", async () => {
    await using pushed = await openPushShop();
    const { opened, service, key } = pushed;
    await opened.shop.post(
      "/v2/orders",
      { line_items: [{ name: "Mug", unit_price: 5, quantity: 1 }], channel: "pos" },
      { key },
    );
    await opened.told();

    expect(service.heard).toEqual([]);
  });
});

describe("who is told", () => {
  test("is staff in the browser alone, a viewer of nothing, and who chose it of nothing", async () => {
    await using pushed = await openPushShop();
    const { opened, service } = pushed;
    const esi = await opened.join("staff", "Esi");
    const yaa = await opened.join("viewer", "Yaa");
    await subscribe(esi, service);
    await subscribe(yaa, service);
    await choose(opened, "Ama", { order: [] });
    await placeOrder(pushed);
    const emails = await opened.told();

    expect(service.heard.map(({ path }) => path)).toEqual(["/push/2"]);
    expect(emails.filter(({ headers }) => headers.get("subject")?.startsWith("New order"))).toEqual(
      [],
    );
  });

  test("is nobody at a browser whose session was ended, and still where it ran out", async () => {
    await using pushed = await openPushShop();
    const { opened, service } = pushed;
    const { live, clock } = opened.shop;
    clock.advance(8 * 86_400_000);
    await placeOrder(pushed);
    await opened.told();
    const afterQuietWeek = service.heard.length;
    await live.database.write(async (tx) => {
      const { id } = await getPersonByName(tx, "Ama");
      await endSessions(tx, id, { ending: { all: true }, by: null });
    });
    await placeOrder(pushed);
    await opened.told();

    expect([afterQuietWeek, service.heard.length]).toEqual([1, 1]);
  });
});

describe("a push service", () => {
  const subscriptions = async ({ opened: { shop } }: PushShop) => {
    const { id } = await getPersonByName(shop.live.database.read, "Ama");
    return listSubscriptions(shop.live.database.read, id);
  };

  test.each([404, 410])("that answers %d has the browser no more", async (status) => {
    await using pushed = await openPushShop();
    pushed.service.answer(status);
    await placeOrder(pushed);
    await pushed.opened.told();

    expect(await subscriptions(pushed)).toEqual([]);
  });

  test("that is busy is tried again, and one that finds the message too long is not", async () => {
    await using pushed = await openPushShop();
    const { opened, service } = pushed;
    service.answer(429);
    await placeOrder(pushed);
    await opened.told();
    service.answer(413);
    opened.shop.clock.advance(61_000);
    await opened.told();
    opened.shop.clock.advance(3_600_000);
    await opened.told();

    expect(service.heard).toHaveLength(2);
    expect(await subscriptions(pushed)).toHaveLength(1);
  });

  test("that took none of ten in a row gets no more, and the page says so", async () => {
    await using pushed = await openPushShop();
    const { opened, service } = pushed;
    service.answer(503);
    await placeOrder(pushed);
    await opened.told();
    for (let hour = 0; hour < 11; hour += 1) {
      opened.shop.clock.advance(3_601_000);
      await opened.told();
    }
    const failed = await subscriptions(pushed);
    const page = await opened.owner.get("/dashboard/me");
    service.answer(201);
    const before = service.heard.length;
    await placeOrder(pushed);
    await opened.told();

    expect(failed[0]?.failures).toBeGreaterThanOrEqual(10);
    expect(page.text).toContain("It could not be reached ten times in a row.");
    expect(service.heard).toHaveLength(before);
  });
});

test("nobody is told in test mode but the inbox", async () => {
  await using pushed = await openPushShop();
  const { opened, service } = pushed;
  await opened.shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: 5, quantity: 1 }],
    payment_method: "bank_transfer",
  });
  await tellDue(opened.shop, "test");

  expect(service.heard).toEqual([]);
  const inbox = await opened.shop.get("/v2/test/inbox?name=push");
  expect(JSON.stringify(inbox)).toContain("New order");
});

test("the day's summary comes at its time, with what was taken and what waits", async () => {
  await using pushed = await openPushShop();
  const { opened, key } = pushed;
  await opened.shop.put("/v2/store", { summary_at: "18:30", timezone: "Africa/Accra" }, { key });
  await placeOrder(pushed);
  await placeOrder(pushed, true);
  await opened.told();
  const before = (await opened.told()).length;
  opened.shop.clock.advance(24 * 3_600_000);
  // The first pass opens the summary, the second sends it.
  await opened.told();
  const emails = (await opened.told()).slice(before);
  const summary = emails.find(({ headers }) => headers.get("subject")?.startsWith("Your day"));

  expect(textOf(summary)).toContain("25.00 taken");
  expect(textOf(summary)).toContain("2 orders placed, 1 paid");
  expect(textOf(summary)).toContain("1 waiting for money");
});

test("what is sold after the day's summary is in the next one", async () => {
  await using pushed = await openPushShop();
  const { opened, key } = pushed;
  const { clock } = opened.shop;
  await opened.shop.put("/v2/store", { summary_at: "18:30", timezone: "Africa/Accra" }, { key });
  const first = Math.ceil(clock.now() / DAY_MS) * DAY_MS;
  clock.advance(first + 21 * HOUR_MS - clock.now());
  // The first pass opens a summary, the second sends it.
  await opened.told();
  await opened.told();
  await placeOrder(pushed, true);
  await opened.told();
  const before = (await opened.told()).length;

  clock.advance(22 * HOUR_MS);
  await opened.told();
  const summary = textOf((await opened.told()).slice(before)[0]);
  clock.advance(DAY_MS);
  await opened.told();
  const next = (await opened.told()).slice(before + 1);

  expect(summary).toContain("25.00 taken");
  expect(summary).toContain("1 order placed, 1 paid");
  expect(next.map(textOf).join()).not.toContain("taken");
});

test("a shop that chose a later hour on the day of a summary has another at that hour", async () => {
  await using pushed = await openPushShop();
  const { opened, key } = pushed;
  const { clock } = opened.shop;
  await opened.shop.put("/v2/store", { summary_at: "18:30", timezone: "Africa/Accra" }, { key });
  const first = Math.ceil(clock.now() / DAY_MS) * DAY_MS;
  clock.advance(first + 12 * HOUR_MS - clock.now());
  await opened.told();
  await opened.told();
  await placeOrder(pushed, true);
  await opened.told();
  clock.advance(7 * HOUR_MS);
  await opened.told();
  const before = (await opened.told()).length;

  await opened.shop.put("/v2/store", { summary_at: "22:00" }, { key });
  await placeOrder(pushed, true);
  await opened.told();
  const told = (await opened.told()).length;
  clock.advance(4 * HOUR_MS);
  await opened.told();
  const summary = textOf((await opened.told()).slice(told)[0]);

  expect(told).toBe(before + 1);
  expect(summary).toContain("50.00 taken");
});
