// Deliveries keep no data of erased customers, nor of a test shop after a reset.

import { describe, expect, setDefaultTimeout, test } from "bun:test";

import { cartInCheckout } from "../../sales/carts/basket.ts";
import { of } from "../../sales/orders/counter.ts";
import { ada, adaMensah, mug, type Person } from "../../support/cast.ts";
import { openReceiver, type Received } from "../../support/receivers.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { deliveriesTo, Gate, happen, idsOf, later, statusesAt } from "./delivering.ts";
import { type MadeEndpoint, openEndpoint, sharedSender } from "./endpoints.ts";

// Some tests are slow on a busy machine.
setDefaultTimeout(30_000);

const shared = sharedSender();

const DAY = 86_400;
const ADA = /ada\d*@example\.com|Mensah|2332012\d{5}/;

/** Answers with the body that it received, as some receivers do. */
function echo({ body }: Received): Response {
  return new Response(`Thank you for ${body}`);
}

function echoing() {
  return openReceiver({ answer: echo });
}

/** Everything saved about the deliveries to an endpoint, as text. */
async function saved(shop: TestShop, endpoint: MadeEndpoint): Promise<string> {
  return JSON.stringify(await deliveriesTo(shop, endpoint));
}

describe("when a customer is erased", () => {
  test("the saved responses about them are emptied", async () => {
    await using receiver = echoing();
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["customer.*"] });
    const id = await ada(shared);
    await later(shared);
    const before = await saved(shared, endpoint);

    await shared.post(`/v2/customers/${id}/erase`);
    await later(shared);

    expect(before).toMatch(ADA);
    expect(await saved(shared, endpoint)).not.toMatch(ADA);
    expect((await shared.get(`${endpoint.path}/deliveries`)).text).not.toMatch(ADA);
    expect(await statusesAt(shared, endpoint)).toEqual(["succeeded", "succeeded"]);
  });

  test.each<[cart: string, buyer: (ada: Person) => object]>([
    ["theirs", ({ id }) => ({ customer_id: id })],
    ["one that names only their email", ({ email }) => ({ customer: { email } })],
  ])("the saved responses about a cart are emptied: %s", async (_, buyerOf) => {
    await using receiver = echoing();
    const endpoint = await openEndpoint(shared, {
      url: receiver.url,
      events: ["checkout.started"],
    });
    const person = await adaMensah(shared);
    await cartInCheckout(shared, [of(await mug(shared))], { ...buyerOf(person) });
    await later(shared);
    const before = await saved(shared, endpoint);

    await shared.post(`/v2/customers/${person.id}/erase`);
    await later(shared);

    expect(before).toMatch(ADA);
    expect(await saved(shared, endpoint)).not.toMatch(ADA);
  });

  test("the responses about others stay", async () => {
    await using receiver = echoing();
    const endpoint = await openEndpoint(shared, {
      url: receiver.url,
      events: ["customer.created"],
    });
    await shared.post("/v2/customers", { email: "kofi@example.com" });
    const id = await ada(shared);
    await later(shared);

    await shared.post(`/v2/customers/${id}/erase`);
    await later(shared);

    expect(await saved(shared, endpoint)).toMatch(/kofi@example\.com/);
  });

  test("recent responses about old events are emptied too", async () => {
    await using shop = await openTestShop();
    await using receiver = echoing();
    const id = await ada(shop);
    await later(shop, 40 * DAY);
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["customer.created"] });
    await shop.post(`${endpoint.path}/replay`, {});
    await later(shop);
    const before = await saved(shop, endpoint);

    await shop.post(`/v2/customers/${id}/erase`);
    await later(shop);

    expect(before).toMatch(ADA);
    expect(await saved(shop, endpoint)).not.toMatch(ADA);
  });

  test("the responses of a deleted endpoint are emptied too", async () => {
    await using receiver = echoing();
    const endpoint = await openEndpoint(shared, {
      url: receiver.url,
      events: ["customer.created"],
    });
    await openEndpoint(shared);
    const id = await ada(shared);
    await later(shared);
    const [one] = await deliveriesTo(shared, endpoint);
    await shared.delete(endpoint.path);

    await shared.post(`/v2/customers/${id}/erase`);
    await later(shared);

    const left = await shared.get(`/v2/webhooks/deliveries/${one?.delivery.id}`);
    expect(left.at("/attempts/0/response_body")).toBe("");
  });

  test("a later response to data sent before is not saved", async () => {
    const gate = new Gate();
    await using receiver = openReceiver({
      answer: (arrived) => gate.pass().then(() => echo(arrived)),
    });
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["customer.*"] });
    const id = await ada(shared);
    await receiver.next();

    await shared.post(`/v2/customers/${id}/erase`);
    await receiver.next();
    await shared.fireDue();
    gate.open();
    await later(shared);

    expect(receiver.received[0]?.body).toMatch(ADA);
    expect(await saved(shared, endpoint)).not.toMatch(ADA);
    expect(await statusesAt(shared, endpoint)).toEqual(["succeeded", "succeeded"]);
  });

  test("the response to a resend in flight is not saved", async () => {
    const gate = new Gate();
    await using receiver = openReceiver({
      answer: (arrived, nth) => (nth === 2 ? gate.pass().then(() => echo(arrived)) : echo(arrived)),
    });
    const endpoint = await openEndpoint(shared, {
      url: receiver.url,
      events: ["customer.created"],
    });
    const id = await ada(shared);
    await later(shared);
    const [one] = await deliveriesTo(shared, endpoint);
    const resent = shared.post(`/v2/webhooks/deliveries/${one?.delivery.id}/resend`);
    await receiver.next(2);

    await shared.post(`/v2/customers/${id}/erase`);
    await later(shared);
    gate.open();

    expect((await resent).text).not.toMatch(ADA);
    expect(await saved(shared, endpoint)).not.toMatch(ADA);
  });

  test("pending events are sent without their data", async () => {
    const gate = new Gate();
    await using receiver = openReceiver({ answer: () => gate.pass() });
    await using witness = openReceiver();
    await openEndpoint(shared, { url: receiver.url, events: ["customer.created"] });
    await openEndpoint(shared, { url: witness.url, events: ["customer.created"] });
    await happen(shared, 4);
    await receiver.next(4);
    const id = await ada(shared);
    // Once the witness has received it, the other endpoint's delivery is claimed too.
    await witness.next(5);

    await shared.post(`/v2/customers/${id}/erase`);
    gate.open();
    await later(shared);

    expect(receiver.received).toHaveLength(5);
    expect(receiver.received[4]?.body).toContain(id);
    expect(receiver.received[4]?.body).not.toMatch(ADA);
  });

  test("a resent event lacks their data and keeps its id", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["customer.created"] });
    const id = await ada(shop);
    await later(shop);
    await shop.post(`/v2/customers/${id}/erase`);
    const [one] = await deliveriesTo(shop, endpoint);

    await shop.post(`/v2/webhooks/deliveries/${one?.delivery.id}/resend`);
    await shop.post(`${endpoint.path}/replay`, {});
    await later(shop);

    const [first, ...again] = receiver.received;
    expect(first?.body).toMatch(ADA);
    expect(again).toHaveLength(2);
    expect(again.map(({ body }) => body).join()).not.toMatch(ADA);
    expect(new Set(idsOf(receiver.received)).size).toBe(1);
  });
});

describe("when a test shop is reset during attempts", () => {
  test("nothing from before is kept or sent, endpoints stay, and new events arrive", async () => {
    await using shop = await openTestShop();
    const gate = new Gate();
    await using receiver = openReceiver({
      answer: (_, nth) => (nth <= 4 ? gate.pass() : new Response(null, { status: 204 })),
    });
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await happen(shop, 30);
    await receiver.next(4);

    const reset = await shop.post("/v2/test/reset");
    const [event = ""] = await happen(shop);
    gate.open();
    await later(shop);

    expect(reset.status).toBe(200);
    expect(idsOf(receiver.received.slice(4))).toEqual([event]);
    expect(await statusesAt(shop, endpoint)).toEqual(["succeeded"]);
    expect((await shop.get(endpoint.path)).body).toMatchObject({
      status: "enabled",
      failures_in_row: 0,
    });
  });

  test("a replay ends", async () => {
    await using shop = await openTestShop();
    const gate = new Gate();
    await using receiver = openReceiver({ answer: () => gate.pass() });
    await happen(shop, 300);
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await shop.post(`${endpoint.path}/replay`, {});
    await receiver.next(4);

    await shop.post("/v2/test/reset");
    gate.open();
    await later(shop);

    expect((await shop.get(endpoint.path)).at("/replay")).toBeNull();
    expect(receiver.received).toHaveLength(4);
    expect(await deliveriesTo(shop, endpoint)).toEqual([]);
  });
});
