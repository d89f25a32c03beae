// Refunds above the limit of who asks for them: they wait for someone else.

import { describe, expect, test } from "bun:test";

import { atOnce, statuses } from "../../support/at-once.ts";
import type { Answered, TestShop } from "../../support/shop.ts";
import { auditsOf, handedOver, paidMug, refundsSent } from "../refund-counter.ts";
import { openScriptedShop, pass } from "../scripted-shop.ts";

const DAY_S = 86_400;

/** A refund of 12.50 through the gateway, for which one of the staff asked in a shop that lets them refund 5.00. */
async function askedRefund() {
  const scripted = await openScriptedShop();
  const { shop } = scripted;
  const { placed, payment } = await paidMug(scripted);
  await shop.put("/v2/store", { refund_limit: "5.00" });
  const key = await shop.createKey({ scopes: ["orders:write", "payments:write", "payments:read"] });
  const body = { amount: "12.50", above_limit: "ask" };
  const made = await shop.post(`/v2/orders/${placed.id}/refunds`, body, { key });
  return { ...scripted, placed, payment, key, made, id: made.string("/refunds/0/id") };
}

/** Another order of the same mug. */
function placeAgain(shop: TestShop, placed: Answered): Promise<Answered> {
  const line_items = [{ variant_id: placed.string("/line_items/0/variant_id"), quantity: 1 }];
  return shop.post("/v2/orders", { line_items, payment_method: "bank_transfer" });
}

async function namesOf(shop: TestShop): Promise<string[]> {
  return (await shop.events()).map(({ name }) => name).filter((name) => /refund/.test(name));
}

describe("a refund above the limit that asks for an approval", () => {
  test("is set aside, and no gateway is called", async () => {
    const { shop, gateway, made, placed } = await askedRefund();
    await using _ = shop;

    const order = await shop.get(`/v2/orders/${placed.id}`);

    expect(made.at("/refunds/0")).toMatchObject({ status: "needs_approval", approval: "asked" });
    expect(order.body).toMatchObject({ refunded_total: 0, refunding_total: 12.5 });
    expect(refundsSent(gateway)).toEqual([]);
    expect(await namesOf(shop)).toEqual(["refund.approval_asked"]);
    expect((await shop.get("/v2/waiting")).at("/refunds_approval/count")).toBe(1);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("takes nothing of the limit", async () => {
    const { shop, placed, key, id } = await askedRefund();
    await using _ = shop;
    await shop.post(`/v2/refunds/${id}/approve`);
    const { placed: other } = await handedOver(shop, { order: () => placeAgain(shop, placed) });

    const path = `/v2/orders/${other.id}/refunds`;
    expect((await shop.post(path, { amount: "5.00" }, { key })).status).toBe(201);
  });

  test("is sent once when it is approved, however often", async () => {
    const { shop, gateway, id } = await askedRefund();
    await using _ = shop;

    const answers = await atOnce(5, () => shop.post(`/v2/refunds/${id}/approve`));
    const again = await shop.post(`/v2/refunds/${id}/approve`);

    expect(statuses(answers)).toEqual(Array(5).fill(200));
    expect(again.body).toMatchObject({ status: "succeeded", approval: "approved" });
    expect(refundsSent(gateway)).toEqual([1250]);
    expect(await namesOf(shop)).toEqual([
      "refund.approval_asked",
      "refund.approved",
      "order.refunded",
    ]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("that is approved days later is looked for every five minutes, as one that was just asked for", async () => {
    const { shop, gateway, id } = await askedRefund();
    await using _ = shop;
    await pass(shop, 5 * DAY_S);
    gateway.nextRefund = { kind: "unknown" };

    const sent = await shop.post(`/v2/refunds/${id}/approve`);

    const timers = (await shop.get("/v2/test/timers")).list("/data").map(Object);
    const next = timers.find(({ subject }) => subject === id);
    const { now } = Object((await shop.get("/v2/test/clock")).body);
    expect(sent.status).toBe(200);
    expect(Date.parse(next.due_at) - Date.parse(now)).toBeLessThanOrEqual(300_000);
  });

  test("gives its amount free when it is declined, for good", async () => {
    const { shop, gateway, id, placed } = await askedRefund();
    await using _ = shop;
    const path = `/v2/refunds/${id}`;

    const declined = await shop.post(`${path}/decline`, { note: "Exchange it." });
    const again = await shop.post(`${path}/decline`, { note: "Exchange it." });
    const late = await shop.post(`${path}/approve`);

    expect(declined.body).toMatchObject({ status: "cancelled", close_note: "Exchange it." });
    expect([again.status, again.text]).toEqual([200, declined.text]);
    expect([late.status, late.code]).toEqual([409, "invalid_transition"]);
    expect((await shop.get(`/v2/orders/${placed.id}`)).at("/refunding_total")).toBe(0);
    expect(refundsSent(gateway)).toEqual([]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("is cancelled after fourteen days", async () => {
    const { shop, id } = await askedRefund();
    await using _ = shop;

    await pass(shop, 14 * DAY_S - 60);
    const before = await shop.get(`/v2/refunds/${id}`);
    await pass(shop, 60);

    const after = await shop.get(`/v2/refunds/${id}`);
    expect(before.at("/status")).toBe("needs_approval");
    expect(after.body).toMatchObject({ status: "cancelled", approval: "expired" });
    expect((await shop.post(`/v2/refunds/${id}/approve`)).code).toBe("invalid_transition");
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("is not decided without the scope, and not by who asked for it", async () => {
    const { shop, placed, id } = await askedRefund();
    await using _ = shop;
    const scopes = ["payments:write"];
    const asker = await shop.createKey({ scopes });
    const replaces = (await shop.get("/v2/keys")).string("/data/0/id");
    const decider = await shop.createKey({ scopes: [...scopes, "refunds:write"], replaces });
    await shop.post(`/v2/refunds/${id}/decline`);
    const body = { amount: "12.50", above_limit: "ask" };
    const made = await shop.post(`/v2/orders/${placed.id}/refunds`, body, { key: asker });
    const path = `/v2/refunds/${made.string("/refunds/0/id")}`;

    const weakly = await shop.post(`${path}/approve`, undefined, { key: asker });
    const own = await shop.post(`${path}/approve`, undefined, { key: decider });
    const declined = await shop.post(`${path}/decline`, {}, { key: decider });

    expect([weakly.status, weakly.code]).toEqual([403, "scope_missing"]);
    expect([own.code, declined.code]).toEqual(["own_refund", "own_refund"]);
    expect(own.status).toBe(403);
  });
});

test("an approved refund of money by hand waits to be handed back", async () => {
  const scripted = await openScriptedShop();
  await using shop = scripted.shop;
  const { placed } = await handedOver(shop);
  await shop.put("/v2/store", { refund_limit: "5.00" });
  const key = await shop.createKey({ scopes: ["payments:write"] });
  const body = { above_limit: "ask" };
  const made = await shop.post(`/v2/orders/${placed.id}/refunds`, body, { key });

  const approved = await shop.post(`/v2/refunds/${made.string("/refunds/0/id")}/approve`);

  expect(approved.body).toMatchObject({ status: "needs_attention", attention: "by_hand" });
});

test("a cancellation above the limit moves its units, and its money waits", async () => {
  const scripted = await openScriptedShop();
  await using shop = scripted.shop;
  const { placed } = await paidMug(scripted);
  await shop.put("/v2/store", { refund_limit: "5.00" });
  const key = await shop.createKey({ scopes: ["orders:write", "payments:write"] });
  const body = { above_limit: "ask" };

  const cancelled = await shop.put(`/v2/orders/${placed.id}/cancel`, body, { key });
  await pass(shop, 60);

  expect([cancelled.status, cancelled.at("/status")]).toEqual([200, "cancelled"]);
  const listed = await shop.get(`/v2/refunds?order_id=${placed.id}`);
  expect(listed.at("/data")).toMatchObject([{ status: "needs_approval", amount: 12.5 }]);
  expect(refundsSent(scripted.gateway)).toEqual([]);
  expect(await auditsOf(shop)).toEqual([]);
});

test("another word for what is above the limit is refused", async () => {
  const scripted = await openScriptedShop();
  await using shop = scripted.shop;
  const { placed } = await paidMug(scripted);

  const refused = await shop.post(`/v2/orders/${placed.id}/refunds`, { above_limit: "maybe" });

  expect([refused.status, refused.at("/errors/0/code")]).toEqual([422, "invalid_format"]);
});

test("a return above the limit takes its units back, and its money waits", async () => {
  const scripted = await openScriptedShop();
  await using shop = scripted.shop;
  const { placed } = await paidMug(scripted);
  await shop.put(`/v2/orders/${placed.id}/fulfill`);
  await shop.put("/v2/store", { refund_limit: "5.00" });
  const key = await shop.createKey({ scopes: ["orders:write", "payments:write"] });
  const line_items = [{ line_item_id: placed.string("/line_items/0/id"), quantity: 1 }];
  const body = { line_items, refund: true, above_limit: "ask" };

  const returned = await shop.post(`/v2/orders/${placed.id}/returns`, body, { key });
  await pass(shop, 60);

  expect(returned.status).toBe(201);
  const listed = await shop.get(`/v2/refunds?order_id=${placed.id}`);
  expect(listed.at("/data")).toMatchObject([{ status: "needs_approval", amount: 12.5 }]);
  expect(refundsSent(scripted.gateway)).toEqual([]);
  expect(await auditsOf(shop)).toEqual([]);
});

test("the customer's page tells of a refund once it is approved", async () => {
  const { shop, placed, id } = await askedRefund();
  await using _ = shop;
  const page = async () => (await fetch(placed.string("/status_url"))).text();

  const before = await page();
  await shop.post(`/v2/refunds/${id}/approve`);

  expect(before).not.toContain("Refund");
  expect(await page()).toContain("Refunded");
});

test("the page of a cancelled order says that a refund is due while it waits for an approval", async () => {
  const scripted = await openScriptedShop();
  await using shop = scripted.shop;
  const { placed } = await paidMug(scripted);
  await shop.put("/v2/store", { refund_limit: "5.00" });
  const key = await shop.createKey({ scopes: ["orders:write", "payments:write"] });
  await shop.put(`/v2/orders/${placed.id}/cancel`, { above_limit: "ask" }, { key });
  await pass(shop, 60);

  const page = await (await fetch(placed.string("/status_url"))).text();

  expect((await shop.get("/v2/refunds")).at("/data/0/status")).toBe("needs_approval");
  expect(page).toContain("A refund is due to you.");
  expect(page).not.toMatch(/on its way|refunded/i);
});
