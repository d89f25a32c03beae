// Emails about carts that were left: who gets one, what it says, and the way out.

import { describe, expect, test } from "bun:test";

import { resealContactSecret } from "#customers/consent/contact-vault.ts";
import { claimReminder } from "#emails/carts/reminders.ts";
import { Resealing } from "#platform/vault/vault.ts";
import { renewLinkSecret } from "#sales/links/link-terms.ts";

import { abandonedCart, DAY_MS, HOUR_MS, later, MINUTE_MS } from "../sales/carts/basket.ts";
import { of } from "../sales/orders/counter.ts";
import { rowsBehind } from "../support/behind-the-shop.ts";
import { type Goods, mug } from "../support/cast.ts";
import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";
import { linesOf, type MailShop, openMailShop, sendDue } from "./mail-shop.ts";

const ADA = "ada@example.com";
const SETTINGS = {
  name: "Akwaaba",
  legal_name: "Akwaaba Ltd",
  postal_address: "12 Ring Road, Accra, Ghana",
  notifications: { cart_abandoned: true },
};

interface Rig extends AsyncDisposable {
  readonly shop: TestShop;
  /** Leaves a cart with two mugs, and sends what is due. */
  leave(terms?: object): Promise<Answered>;
  /** Places an order of Ada's for two mugs. */
  order(terms: object): Promise<Answered>;
  emails(): Promise<string[]>;
  /** What is in the inbox, newest first. */
  inbox(): Promise<readonly InboxEmail[]>;
}

interface InboxEmail {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A test shop that reminds of carts, with Ada, who agreed to it. */
async function openRig(): Promise<Rig> {
  const shop = await openTestShop();
  await shop.put("/v2/store", SETTINGS);
  await shop.post("/v2/customers", { email: ADA, name: "Ada Mensah", marketing_consent: true });
  const cup: Goods = await mug(shop, { stock: 100 });
  const emails = async () => {
    await sendDue(shop, "test");
    return linesOf(await shop.get("/v2/emails"));
  };
  return {
    shop,
    emails,
    leave: async (terms = { email: ADA }) => {
      const cart = await abandonedCart(shop, [of(cup, 2)], { ...terms });
      await emails();
      return cart;
    },
    order: (terms) =>
      shop.post("/v2/orders", { customer: { email: ADA }, line_items: [of(cup, 2)], ...terms }),
    inbox: async () => Object((await shop.get("/v2/test/inbox?name=mail")).body).data,
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  };
}

/** The address to unsubscribe at, of the newest email. */
async function wayOut(rig: Rig): Promise<string> {
  const [email] = await rig.inbox();
  return (email?.headers["List-Unsubscribe"] ?? "").slice(1, -1);
}

const press = (url: string) =>
  fetch(url, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });

describe("a cart that is left", () => {
  test("has one email to a customer who agreed to it, with the way back and the way out", async () => {
    await using rig = await openRig();
    const cart = await rig.leave({ email: "Ada@Example.com" });

    expect(await rig.emails()).toEqual(["cart_abandoned sent"]);
    const listed = await rig.shop.get(`/v2/emails?cart_id=${cart.id}`);
    expect(listed.at("/data/0")).toMatchObject({ cart_id: cart.id, order_id: null });
    expect(JSON.stringify(listed.body).toLowerCase()).not.toContain("ada@");
    const [email] = await rig.inbox();
    const url = await wayOut(rig);
    expect(url).toStartWith(`${rig.shop.url}/u/`);
    expect(email?.headers).toMatchObject({
      subject: "Your cart at Akwaaba",
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
    for (const part of [cart.string("/recovery_url"), "2 × USD 12.50", "Total: USD 25.00", url]) {
      expect(email?.body).toContain(part);
    }
    expect(email?.body).toContain("Akwaaba Ltd, 12 Ring Road, Accra, Ghana");
  });

  test("tells its customer what was chosen of a line, and its page tells no one", async () => {
    await using rig = await openRig();
    const line = {
      ...of(await mug(rig.shop, { sku: "BOWL" })),
      metadata: { public_engraving: "Ada" },
    };
    const cart = await abandonedCart(rig.shop, [line], { email: ADA });
    await rig.emails();

    const [email] = await rig.inbox();
    const page = await (await fetch(cart.string("/recovery_url"))).text();

    expect(email?.body).toContain("(1 × USD 12.50, engraving: Ada)");
    expect(page).not.toContain("engraving");
  });

  test("has none unless the merchant turned it on, which needs a postal address", async () => {
    await using rig = await openRig();
    const on = { notifications: { cart_abandoned: true } };
    const refused = await rig.shop.put("/v2/store", { ...on, postal_address: null });
    await rig.shop.put("/v2/store", { notifications: { cart_abandoned: false } });
    await rig.leave();

    expect(refused.list("/errors")).toMatchObject([{ pointer: "#/postal_address" }]);
    expect(await rig.emails()).toEqual([]);
  });

  test("has none to an email that a stranger wrote beside the phone of its customer", async () => {
    await using rig = await openRig();
    const key = await rig.shop.createKey({ scopes: ["storefront"] });
    const sent = { email: "mallory@example.com", phone: "+233551234980", marketing_consent: true };
    await rig.shop.post("/v2/customers", sent, { key });
    const found = await rig.shop.get("/v2/customers?phone=%2B233551234980");

    await rig.leave({ customer_id: found.string("/data/0/id") });

    expect(await rig.emails()).toEqual(["cart_abandoned skipped no_recipient"]);
  });

  test("has none without the consent of whoever has its email", async () => {
    await using rig = await openRig();
    const body = { email: "kofi@example.com" };
    const kofi = (await rig.shop.post("/v2/customers", body)).string("/id");
    const ada = (await rig.shop.get(`/v2/customers?email=${ADA}`)).string("/data/0/id");
    for (const terms of [
      { email: "stranger@example.com" },
      { customer_id: kofi },
      { customer_id: ada, email: "kofi@example.com" },
    ]) {
      await rig.leave(terms);
    }

    expect(await rig.emails()).toEqual([]);
  });

  test("again has no second email, and another cart of the address has one a day later", async () => {
    await using rig = await openRig();
    const cart = await rig.leave();
    await rig.shop.post(`/v2/carts/${cart.id}/checkout`);
    await later(rig.shop, HOUR_MS);
    await rig.leave();
    await later(rig.shop, DAY_MS);
    await rig.leave();

    expect(await rig.emails()).toEqual([
      "cart_abandoned sent",
      "cart_abandoned skipped recently_reminded",
      "cart_abandoned sent",
    ]);
  });
});

describe("an order that is left unpaid at a gateway", () => {
  test("has one email to a customer who agreed to it, with the way to its page and the way out", async () => {
    await using rig = await openRig();
    const order = await rig.order({ payment_method: "card" });
    await later(rig.shop, HOUR_MS);

    expect(await rig.emails()).toEqual(["cart_abandoned sent"]);
    const listed = await rig.shop.get(`/v2/emails?order_id=${order.id}`);
    expect(listed.at("/data/0")).toMatchObject({ cart_id: null, order_id: order.id });
    const [email] = await rig.inbox();
    expect(email?.headers["subject"]).toBe("Your order at Akwaaba is not paid yet");
    for (const part of [order.string("/status_url"), "Total: USD 25.00", await wayOut(rig)]) {
      expect(email?.body).toContain(part);
    }
  });

  test("has none without consent, none beside its instructions, and none once it is cancelled", async () => {
    await using rig = await openRig();
    await rig.order({ customer: { email: "kofi@example.com" }, payment_method: "card" });
    await rig.order({ payment_method: "bank_transfer" });
    const cancelled = await rig.order({ payment_method: "card" });
    await later(rig.shop, HOUR_MS);
    await rig.shop.put(`/v2/orders/${cancelled.id}/cancel`, { reason: "customer" });

    const emails = await rig.emails();

    expect(emails.filter((line) => line.startsWith("cart_abandoned"))).toEqual([
      "cart_abandoned skipped nothing_to_say",
    ]);
  });

  test("has none once its customer chose to pay it by hand: the money may be on its way", async () => {
    await using rig = await openRig();
    const order = await rig.order({ payment_method: "card" });
    const promise = { order_id: order.id, method: "bank_transfer" };
    expect((await rig.shop.post("/v2/payments/initialize", promise)).status).toBe(201);
    await later(rig.shop, HOUR_MS);

    expect(await rig.emails()).toEqual(["cart_abandoned skipped nothing_to_say"]);
  });
});

/** What becomes of a cart or its customer before the email is sent, by the reason that is told. */
const ends = {
  cart_completed: (shop, { id }) =>
    shop.post(`/v2/carts/${id}/complete`, { payment_method: "bank_transfer" }),
  cart_gone: (shop, { id }) => shop.delete(`/v2/carts/${id}`),
  no_recipient: (shop, _, customer) => shop.post(`/v2/customers/${customer}/erase`),
  no_consent: (shop, _, customer) =>
    shop.put(`/v2/customers/${customer}`, { marketing_consent: false }),
  // Last, since it is tried again first: an hour later the cart is left once more.
  cart_taken_up: (shop, { id }) => shop.post(`/v2/carts/${id}/checkout`),
} satisfies Record<string, (shop: TestShop, cart: Answered, customer: string) => Promise<Answered>>;

test("an email that waits is not sent, also not on request, once there is no one to remind", async () => {
  await using rig = await openRig();
  const { shop } = rig;
  const untaken = { kind: "later", fault: "busy", codes: "", isFull: false, response: "" };
  Object.assign(shop.test.mail ?? {}, { send: () => Promise.resolve(untaken) });
  const left: (() => Promise<Answered>)[] = [];
  for (const [reason, end] of Object.entries(ends)) {
    const email = `${reason}@example.com`;
    const customer = await shop.post("/v2/customers", { email, marketing_consent: true });
    const cart = await rig.leave({ email });
    left.push(() => end(shop, cart, customer.string("/id")));
  }
  for (const end of left) await end();
  shop.clock.advance(MINUTE_MS);
  await rig.emails();
  shop.clock.advance(HOUR_MS);
  const reasons = await rig.emails();
  const { data } = Object((await shop.get("/v2/emails?template=cart_abandoned")).body);
  const again = await Promise.all(
    data.map(({ id }: { id: string }) => shop.post(`/v2/emails/${id}/resend`)),
  );

  expect(reasons.filter((line) => line.startsWith("cart_abandoned"))).toEqual(
    Object.keys(ends).map((reason) => `cart_abandoned skipped ${reason}`),
  );
  // The newest is of the cart that was left once more.
  expect(again.map(({ status }) => status)).toEqual([200, 409, 409, 409, 409]);
});

describe("the way out", () => {
  test("shows a button, and ends consent only once it is pressed", async () => {
    await using rig = await openRig();
    await rig.leave();
    const url = await wayOut(rig);
    await rig.shop.announced();
    const shown = await (await fetch(url)).text();
    await fetch(url, { method: "HEAD" });
    const before = await rig.shop.get(`/v2/customers?email=${ADA}`);
    const pressed = await press(url);
    await press(url);

    expect(shown).toContain("Unsubscribe</button>");
    expect(shown).not.toContain("ada@");
    expect(before.at("/data/0/marketing_consent")).toBe(true);
    expect([pressed.status, await pressed.text()]).toEqual([
      200,
      expect.stringContaining("You are unsubscribed"),
    ]);
    expect(await rig.shop.announced()).toMatchObject([
      { event: "customer.updated", data: { marketing_consent: false } },
    ]);
    await later(rig.shop, DAY_MS);
    await rig.leave();
    expect(await rig.emails()).toEqual(["cart_abandoned sent"]);
  });

  test("holds for an address without a customer, against strangers, and until the merchant's word", async () => {
    await using rig = await openRig();
    const { shop } = rig;
    await rig.leave();
    const url = await wayOut(rig);
    const customer = (await shop.get(`/v2/customers?email=${ADA}`)).string("/data/0/id");
    await shop.post(`/v2/customers/${customer}/erase`);
    const pressed = await press(url);
    const rows = await Promise.all(
      ["cart_reminders", "consent_withdrawals"].map((table) =>
        rowsBehind(shop.folder.path, `SELECT * FROM ${table}`),
      ),
    );
    const key = await shop.createKey({ scopes: ["storefront"] });
    const signUp = { email: ADA, marketing_consent: true };
    const told = await shop.post("/v2/customers", signUp, { key });
    const stored = await shop.get(`/v2/customers?email=${ADA}`);
    await shop.put(`/v2/customers/${stored.string("/data/0/id")}`, { marketing_consent: true });
    await later(shop, DAY_MS);
    await rig.leave();

    expect(pressed.status).toBe(200);
    expect(rows).toEqual([[], [expect.objectContaining({ contact_hash: expect.any(String) })]]);
    expect(JSON.stringify(rows)).not.toContain("ada");
    expect(told.at("/marketing_consent")).toBe(true);
    expect(stored.at("/data/0/marketing_consent")).toBe(false);
    expect((await rig.emails()).at(-1)).toBe("cart_abandoned sent");
  });

  test("works after the key of the shop was replaced, which ends other links", async () => {
    await using rig = await openRig();
    const { database } = rig.shop.test;
    const cart = await rig.leave();
    const url = await wayOut(rig);
    await database.write(async (tx) => {
      await resealContactSecret(tx, new Resealing(database.vault));
      await renewLinkSecret(tx);
    });

    expect((await press(url)).status).toBe(200);
    expect((await fetch(cart.string("/recovery_url"))).status).toBe(404);
    const customers = await rig.shop.get(`/v2/customers?email=${ADA}`);
    expect(customers.at("/data/0/marketing_consent")).toBe(false);
  });

  test("is no page for a link that the shop did not make, and changes nothing by another method", async () => {
    await using rig = await openRig();
    await rig.leave();
    const url = await wayOut(rig);
    const statuses = await Promise.all([
      press(`${rig.shop.url}/u/nothing`),
      press(`${url}x`),
      fetch(url, { method: "DELETE" }),
      fetch(url, { method: "POST", body: multipart() }),
    ]);

    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 405, 200]);
  });
});

function multipart(): FormData {
  const form = new FormData();
  form.set("List-Unsubscribe", "One-Click");
  return form;
}

/** Leaves a live cart of Ada's; its email is sent. */
async function leaveLive(opened: MailShop): Promise<void> {
  const variant_id = (await opened.get("/v2/products")).string("/data/0/variants/0/id");
  const body = { email: ADA, line_items: [{ variant_id, quantity: 1 }] };
  const cart = await opened.post("/v2/carts", body);
  await opened.post(`/v2/carts/${cart.id}/checkout`);
  opened.shop.clock.advance(HOUR_MS);
  await opened.emails();
  await opened.emails();
}

test("the headers of the way out reach the mail server", async () => {
  await using opened = await openMailShop();
  const { shop, key, receiver } = opened;
  await shop.put("/v2/store", SETTINGS, { key });
  await opened.post("/v2/customers", { email: ADA, marketing_consent: true });
  await leaveLive(opened);

  const headers = Object.fromEntries(receiver.heard[0]?.headers ?? []);
  expect(headers["list-unsubscribe"]).toMatch(/^<http:\/\/[^<>\s]+\/u\/[\w.-]+>$/);
  expect(headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
});

test("an email that the mail server refused is not the one that its address has in a day", async () => {
  let refusals = 0;
  const toRecipient = () => (refusals++ === 0 ? "550 5.7.1 Try it another time" : undefined);
  await using opened = await openMailShop({ toRecipient });
  await opened.shop.put("/v2/store", SETTINGS, { key: opened.key });
  await opened.post("/v2/customers", { email: ADA, marketing_consent: true });
  await leaveLive(opened);
  await leaveLive(opened);

  expect(await opened.emails()).toEqual([
    "cart_abandoned failed rejected 550 5.7.1",
    "cart_abandoned sent",
  ]);
});

test("the day of an address begins with the last attempt, which is the one that arrives", async () => {
  await using shop = await openTestShop();
  const claim = (messageId: string) =>
    shop.test.database.write((tx) => claimReminder(tx, { address: ADA, messageId }));
  const first = await claim("<one@shop>");
  shop.clock.advance(20 * HOUR_MS);
  const again = await claim("<one@shop>");
  shop.clock.advance(5 * HOUR_MS);
  const other = await claim("<two@shop>");

  expect([typeof first, typeof again, other]).toEqual(["string", "string", null]);
});
