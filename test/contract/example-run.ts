// One run of the seeded test shop that calls every operation, from which the examples of the documentation
// are taken: what they show was sent, answered and emitted.

import { eventNames } from "#messaging/events/event.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";

import { sendDue } from "../emails/mail-shop.ts";
import type { Answered, TestShop } from "../support/shop.ts";
import { until } from "../support/until.ts";
import {
  askedRefund,
  type Call,
  callAccounts,
  callCollections,
  callLines,
  callMedia,
  callPayouts,
  callReceivingAccounts,
  callUnsent,
  type Given,
  routeOf,
  sentOf,
  tokenOf,
} from "./example-parts.ts";

/** By operation id and by event. */
export interface Examples {
  readonly requests: Record<string, unknown>;
  readonly responses: Record<string, unknown>;
  readonly events: Record<string, unknown>;
}

const MUG = {
  name: "Enamel Mug",
  description: "Holds 350 ml and survives the floor.",
  category: "Kitchen",
  tags: ["mug"],
  options: [{ name: "Color", values: ["Blue", "White"] }],
  variants: [
    {
      sku: "MUG-BLUE",
      options: { Color: "Blue" },
      prices: [{ currency: "KES", amount: "950.00", compare_at: "1200.00" }],
      stock: 40,
    },
    {
      sku: "MUG-WHITE",
      options: { Color: "White" },
      prices: [{ currency: "KES", amount: "900.00" }],
      stock: 25,
    },
  ],
};
const ADDRESS = {
  name: "Zuri Mwangi",
  line1: "12 Moi Avenue",
  city: "Nairobi",
  country: "KE",
  phone: "+254733000455",
};

/** A new order of two units. */
function orderOf(variant: string, customer: string, more: object = {}): object {
  return {
    customer_id: customer,
    line_items: [{ variant_id: variant, quantity: 2 }],
    payment_method: "mobile_money",
    shipping_address: ADDRESS,
    shipping: { label: "Rider", amount: "250.00" },
    metadata: { source: "website" },
    ...more,
  };
}

/** Calls every operation in a fresh shop. Throws where one does not succeed. */
export async function runExamples(shop: TestShop): Promise<Examples> {
  const run = new ExampleRun(shop);
  await run.settings();
  const { variant } = await run.catalog();
  await run.discounts();
  const customer = await run.customers();
  const rate = await run.shipping();
  const webhook = await run.webhooks();
  await run.sales(variant, customer);
  await run.refunds(variant, customer);
  await run.disputes(variant, customer);
  await run.emails();
  await run.accounts();
  await run.carts(variant, { customer, rate });
  await run.log(webhook);
  await run.ends(webhook);
  return run.examples;
}

class ExampleRun {
  readonly examples: Examples = { requests: {}, responses: {}, events: {} };
  readonly #shop: TestShop;
  /** The last event of the seed: the examples are about what follows it. */
  #seededUntil = 0;

  constructor(shop: TestShop) {
    this.#shop = shop;
  }

  /** Calls the operation; its first call is the example. */
  async #call(operationId: string, given: Given = {}): Promise<Answered> {
    const route = routeOf(operationId);
    const { body, query = "", token, ...params } = given;
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      String(Reflect.get(params, name)),
    );
    const { headers, ...sent } = route.method === "GET" ? {} : sentOf(given);
    const answer = await this.#shop.send(route.method, `${path}${query}`, {
      ...sent,
      headers: { ...headers, ...tokenOf(route, token) },
    });
    if (answer.status >= 300) throw new Error(`${operationId} answered ${answer.text}`);
    const { requests, responses } = this.examples;
    if (body !== undefined) requests[operationId] ??= body;
    if (answer.body !== null) responses[operationId] ??= answer.body;
    return answer;
  }

  async settings(): Promise<void> {
    const body = {
      name: "Duka Market",
      currency: "KES",
      timezone: "Africa/Nairobi",
      country: "KE",
    };
    await this.#call("updateStore", { body });
    await this.#call("retrieveStore");
    await this.#call("listAuditEntries", { query: "?action=updateStore" });
    await this.#call("seedTestShop", { body: { currency: "KES" } });
    this.#seededUntil = await lastSequence(this.#shop.test.database.read);
    const key = await this.#call("createKey", {
      body: { name: "Storefront", scopes: ["storefront"] },
    });
    await this.#call("listKeys");
    await this.#call("retrieveKey", { id: key.id });
    await this.#call("updateKey", { id: key.id, body: { name: "Web shop" } });
    const rotated = await this.#call("rotateKey", { id: key.id, body: { overlap_hours: 24 } });
    await this.#call("revokeKey", { id: rotated.id });
    await this.taxes();
  }

  /** Of countries that nothing is sold to here. */
  async taxes(): Promise<void> {
    await this.#call("listTaxPresets", { query: "?limit=2" });
    await this.#call("createTaxRatesOfPreset", { body: { country: "GH" } });
    const { id } = await this.#call("createTaxRate", {
      body: { country: "CA", region: "Ontario", name: "HST", rate: 13, valid_from: "2026-01-01" },
    });
    await this.#call("updateTaxRate", { id, body: { valid_until: "2027-01-01" } });
    await this.#call("retrieveTaxRate", { id });
    await this.#call("listTaxRates", { query: "?limit=2" });
  }

  async catalog(): Promise<{ variant: string }> {
    const call: Call = (name, given) => this.#call(name, given);
    const product = await call("createProduct", { body: MUG });
    const { id } = product;
    const variant = product.string("/variants/0/id");
    await callMedia(call, id);
    await this.#call("updateProduct", {
      id,
      body: { options: [{ name: "Color", values: ["Blue", "White", "Red"] }] },
    });
    const added = await this.#call("createVariant", {
      id,
      body: {
        sku: "MUG-RED",
        options: { Color: "Red" },
        prices: [{ amount: "1100.00" }],
        image: { url: "https://shop.example/mug-red.jpg", alt: "A red mug" },
        stock: 10,
      },
    });
    await this.#call("updateVariant", { id, variant_id: added.id, body: { weight_grams: 310 } });
    await this.#call("retrieveVariant", { id, variant_id: added.id });
    await this.#call("deleteVariant", { id, variant_id: added.id });
    await this.#call("retrieveProduct", { id });
    await this.#call("listProducts", { query: "?limit=2" });
    await this.#call("retrieveProductFacets", { query: "?category=Kitchen" });
    await callCollections(call, this.#shop, id);
    const level = { on_hand: 60, reason: "received", low_stock_threshold: 5 };
    await this.#call("updateInventory", { variant_id: variant, body: level });
    const rows = [{ variant_id: variant, adjust: -2, reason: "damage" }];
    await this.#call("updateInventoryBatch", { body: { rows } });
    await this.#call("retrieveInventory", { variant_id: variant });
    await this.#call("listInventory", { query: "?limit=2" });
    await this.#call("listInventoryMovements", { variant_id: variant });
    return { variant };
  }

  async discounts(): Promise<void> {
    const body = {
      title: "Ten percent off mugs",
      target: "lines",
      percent: 10,
      scope: { tags: ["mug"] },
      minimum: { amounts: [{ currency: "KES", amount: "1000.00" }] },
      codes: ["MUGS10"],
      usage_limit: 100,
      ends_at: "2031-01-01T00:00:00Z",
    };
    const { id } = await this.#call("createDiscount", { body });
    await this.#call("updateDiscount", { id, body: { usage_limit: 200 } });
    const gifts = { count: 2, prefix: "GIFT-", usage_limit: 1 };
    const added = await this.#call("createDiscountCodes", { id, body: gifts });
    await this.#call("deleteDiscountCode", { id, code: added.string("/codes/0/code") });
    await this.#call("listDiscountCodes", { id });
    await this.#call("retrieveDiscount", { id });
    await this.#call("listDiscounts", { query: "?status=active" });
    await this.#call("updateDiscount", { id, body: { archived: true } });
    await this.#call("deleteDiscount", { id });
  }

  async customers(): Promise<string> {
    const body = {
      email: "zuri.mwangi@example.com",
      phone: "+254733000455",
      first_name: "Zuri",
      last_name: "Mwangi",
      addresses: [ADDRESS],
    };
    const { id } = await this.#call("createCustomer", { body });
    await this.#call("updateCustomer", { id, body: { marketing_consent: true } });
    await this.#call("retrieveCustomer", { id });
    await this.#call("listCustomers", { query: "?limit=2" });
    const other = await this.#call("createCustomer", { body: { email: "nobody@example.com" } });
    // Before the deletion, which removes the bodies of requests.
    await this.#call("listRequests", { query: "?method=POST&limit=1" });
    const requestId = other.headers.get("x-request-id") ?? "";
    await this.#call("retrieveRequest", { request_id: requestId });
    await this.#call("deleteCustomer", { id: other.id });
    return id;
  }

  /** The id of a rate that serves Kenya. */
  async shipping(): Promise<string> {
    const places = [{ country: "KE" }, { country: "UG", region: "Central" }];
    const zone = await this.#call("createShippingZone", { body: { name: "East Africa", places } });
    await this.#call("updateShippingZone", { id: zone.id, body: { name: "Kenya and Kampala" } });
    await this.#call("retrieveShippingZone", { id: zone.id });
    await this.#call("listShippingZones");
    const rate = await this.#call("createShippingRate", {
      body: {
        zone_id: zone.id,
        name: "Rider",
        kind: "by_weight",
        tiers: [
          { from: 0, amounts: [{ currency: "KES", amount: "250.00" }] },
          { from: 5_000, amounts: [{ currency: "KES", amount: "600.00" }] },
        ],
        free_over: [{ currency: "KES", amount: "10000.00" }],
        min_days: 1,
        max_days: 3,
      },
    });
    await this.#call("updateShippingRate", { id: rate.id, body: { max_days: 2 } });
    await this.#call("retrieveShippingRate", { id: rate.id });
    await this.#call("listShippingRates", { query: `?zone_id=${zone.id}` });
    const gate = { name: "Moi Avenue", address: ADDRESS, instructions: "Open from 8 to 18." };
    const { id } = await this.#call("createPickupLocation", { body: gate });
    await this.#call("updatePickupLocation", { id, body: { instructions: "Open from 9 to 18." } });
    await this.#call("retrievePickupLocation", { id });
    await this.#call("listPickupLocations");
    await this.#call("deletePickupLocation", { id });
    await callReceivingAccounts((name, given) => this.#call(name, given));
    const spare = { name: "Tanzania", places: [{ country: "TZ" }] };
    const { id: zoneId } = await this.#call("createShippingZone", { body: spare });
    const amounts = [{ currency: "KES", amount: "900.00" }];
    const parcel = { zone_id: zoneId, name: "Parcel", kind: "flat", tiers: [{ from: 0, amounts }] };
    const { id: spareId } = await this.#call("createShippingRate", { body: parcel });
    await this.#call("deleteShippingRate", { id: spareId });
    await this.#call("deleteShippingZone", { id: zoneId });
    return rate.id;
  }

  async webhooks(): Promise<string> {
    const url = `${this.#shop.url}/hooks/test/inbox/shop`;
    const body = { url, events: ["order.*", "payment.*"], description: "The warehouse." };
    const { id } = await this.#call("createWebhook", { body });
    await this.#call("updateWebhook", { id, body: { events: ["*"] } });
    await this.#call("pingWebhook", { id });
    this.examples.events["webhook.ping"] = await this.#receivedPing();
    await this.#call("rotateWebhookSecret", { id, body: { overlap_hours: 24 } });
    await this.#call("retrieveWebhook", { id });
    await this.#call("listWebhooks");
    return id;
  }

  async #receivedPing(): Promise<unknown> {
    const inbox = await this.#shop.get("/v2/test/inbox");
    const ping = inbox.list("/data").find((one) => Object(one).event === "webhook.ping");
    return JSON.parse(String(Object(ping).body));
  }

  async #order(variant: string, customer: string, more: object = {}): Promise<Answered> {
    return this.#call("createOrder", { body: orderOf(variant, customer, more) });
  }

  /** Initializes a payment of a new order. */
  async #pay(variant: string, customer: string, by: object) {
    const order = await this.#order(variant, customer);
    const payment = await this.#call("initializePayment", { body: { order_id: order.id, ...by } });
    return { order, id: order.id, ref: payment.id };
  }

  async sales(variant: string, customer: string): Promise<void> {
    await this.#call("previewOrder", { body: orderOf(variant, customer) });
    const paid = await this.#pay(variant, customer, {
      method: "mobile_money",
      phone: "+254710000080",
      provider: "mpesa",
    });
    const { id, ref } = paid;
    await this.#call("updateOrder", { id, body: { notes: "Ring twice." } });
    await this.#call("advanceClock", { body: { seconds: 10 } });
    await this.#call("retrievePayment", { ref });
    const tracking = { carrier: "DHL", number: "1234567890" };
    const shipped = await this.#call("fulfillOrder", { id, body: { tracking } });
    await this.#call("updateFulfillment", {
      id,
      fulfillment_id: shipped.string("/fulfillments/0/id"),
      body: { tracking: { ...tracking, url: "https://track.example/1234567890" } },
    });
    await this.#call("refundPayment", { ref, body: { amount: "250.00", note: "Late delivery." } });
    const line = { line_item_id: paid.order.string("/line_items/0/id"), quantity: 1 };
    const refund = { line_items: [line], reason: "goods_returned" };
    await this.#call("previewRefund", { id, body: refund });
    await this.#call("refundOrder", { id, body: refund });
    const back = { line_items: [line], restock: true, reason: "damaged", refund: "500.00" };
    await this.#call("previewReturn", { id, body: back });
    await this.#call("createReturn", { id, body: back });
    await this.#call("listReturns", { id });
    const { body: order } = await this.#call("retrieveOrder", { id });
    await this.#call("retrieveOrderByLink", { token: Object(order).order_token });
    await this.#call("listOrders", { query: "?limit=1" });
    await this.#call("retrieveStorefront");
    await this.#call("listOrderEvents", { id });
    await this.#call("retrieveCustomerTotals", { id: customer });
    await this.#call("listPayments", { query: "?limit=1" });
    const otp = await this.#pay(variant, customer, { phone: "+254710000085", provider: "mpesa" });
    await this.#call("submitPaymentOtp", { ref: otp.ref, body: { otp: "123456" } });
    const hosted = { method: "gateway", return_url: "https://shop.example/thanks" };
    const approved = await this.#pay(variant, customer, hosted);
    await this.#call("approveTestPayment", { ref: approved.ref });
    const declined = await this.#pay(variant, customer, hosted);
    const refusal = { failure_code: "insufficient_funds" };
    await this.#call("declineTestPayment", { ref: declined.ref, body: refusal });
    const cancelled = await this.#pay(variant, customer, hosted);
    await this.#call("cancelPayment", { ref: cancelled.ref });
    await this.#call("cancelOrder", { id: cancelled.id, body: { reason: "customer" } });
    const short = { method: "card", card_token: "pm_test_amountShort" };
    const review = await this.#pay(variant, customer, short);
    await this.#call("advanceClock", { body: { seconds: 10 } });
    await this.#call("acceptPayment", { ref: review.ref, body: { write_off: true } });
    const transfer = await this.#pay(variant, customer, { method: "bank_transfer" });
    const due = { amount: transfer.order.number("/total"), currency: "KES" };
    await this.#call("confirmPayment", { ref: transfer.ref, body: due });
    const typed = { amount: due.amount - 50, note: "The transfer was 50.00 short." };
    await this.#call("correctPayment", { ref: transfer.ref, body: typed });
    const rest = { method: "bank_transfer", amount: 50, transaction_reference: "FT-0815" };
    await this.#call("createOrderPayment", { id: transfer.id, body: rest });
    await this.#call("previewCancellation", { id: transfer.id, body: { reason: "inventory" } });
    const delivered = await this.#order(variant, customer, { payment_method: "cash_on_delivery" });
    const lost = { amount: "50.00", note: "Paid short at the door." };
    await this.#call("writeOffOrder", { id: delivered.id, body: lost });
    await callUnsent((operation, given) => this.#call(operation, given), delivered);
  }

  /** The refunds of this phone fail. */
  async refunds(variant: string, customer: string): Promise<void> {
    const phone = { method: "mobile_money", phone: "+254710000097", provider: "mpesa" };
    const { ref } = await this.#pay(variant, customer, phone);
    await this.#call("advanceClock", { body: { seconds: 10 } });
    const failed = await this.#call("refundPayment", { ref, body: { amount: "500.00" } });
    await this.#call("retryRefund", { id: failed.id });
    await this.#call("closeRefund", { id: failed.id, body: { note: "By M-Pesa, QGH7XK21." } });
    await this.#call("retrieveRefund", { id: failed.id });
    await this.#call("listRefunds", { query: "?status=closed" });
    const unwanted = await this.#call("refundPayment", { ref, body: { amount: "200.00" } });
    await this.#call("cancelRefund", { id: unwanted.id, body: { note: "Exchanged in the shop." } });
    await this.#call("approveRefund", { id: await askedRefund(this.#shop, ref) });
    const asked = await askedRefund(this.#shop, ref);
    await this.#call("declineRefund", { id: asked, body: { note: "Exchanged in the shop." } });
  }

  /** The gateway pays out what this card paid, and its bank asks the money back. */
  async disputes(variant: string, customer: string): Promise<void> {
    const { ref } = await this.#pay(variant, customer, {
      method: "card",
      card_token: "pm_card_createDispute",
    });
    await this.#call("advanceClock", { body: { seconds: 10 } });
    const open = await this.#call("listDisputes", { query: "?status=open" });
    await this.#call("retrieveDispute", { id: open.string("/data/0/id") });
    await callPayouts((name, given) => this.#call(name, given), this.#shop, ref);
  }

  /** The seeded shop has sent emails already. */
  async emails(): Promise<void> {
    await sendDue(this.#shop, "test");
    const list = await this.#call("listEmails", { query: "?status=sent&limit=1" });
    const id = list.string("/data/0/id");
    await this.#call("retrieveEmail", { id });
    await this.#call("resendEmail", { id });
    await this.#call("sendTestEmail", { body: { to: "zuri@example.com" } });
  }

  async accounts(): Promise<void> {
    await callAccounts((name, given) => this.#call(name, given), ADDRESS);
  }

  async carts(
    variant: string,
    { customer, rate }: { readonly customer: string; readonly rate: string },
  ): Promise<void> {
    const line_items = [{ variant_id: variant, quantity: 1 }];
    const spare = await this.#call("createCart", { body: { line_items, currency: "KES" } });
    await this.#call("deleteCart", { id: spare.id });
    const { id } = await this.#call("createCart", { body: { line_items } });
    await callLines((name, given) => this.#call(name, given), { id, variant_id: variant });
    await this.#call("updateCart", { id, body: { customer_id: customer } });
    const delivery = { shipping_address: ADDRESS, shipping: { rate_id: rate } };
    await this.#call("startCheckout", { id, body: delivery });
    await this.#call("advanceClock", { body: { seconds: 3700 } });
    const link = (await this.#call("retrieveCart", { id })).string("/recovery_url");
    await this.#call("recoverCart", { body: { token: link.split("/").at(-1) } });
    await this.#call("listCarts");
    await this.#call("completeCart", { id, body: { payment_method: "cash_on_delivery" } });
    await this.#call("exportCustomer", { id: customer });
  }

  /** What happened, and what did not: that is triggered. */
  async log(webhook: string): Promise<void> {
    const delivery = await this.#delivered(webhook);
    await this.#call("listDeliveries", { id: webhook, query: "?status=succeeded&limit=1" });
    await this.#call("retrieveDelivery", { id: delivery });
    await this.#call("resendDelivery", { id: delivery });
    await this.#call("replayEvents", {
      id: webhook,
      body: { after: this.#seededUntil, events: ["order.paid"] },
    });
    await this.#call("listInbox", { query: "?name=shop&limit=1" });
    await this.#call("emptyInbox");
    const query = `?event=order.paid&after=${this.#seededUntil}&limit=2`;
    await this.#call("listEvents", { query });
    const event = await this.#call("triggerEvent", { body: { event: "order.paid" } });
    await this.#call("retrieveEvent", { id: event.id });
    await this.#call("retrieveAnalyticsSummary", { query: "?interval=month" });
    await this.#call("retrieveSalesSeries", { query: "?interval=month" });
    await this.#call("retrieveWaiting");
    await this.#call("retrieveChecklist", { query: "?area=shop" });
    await this.#call("retrieveCashUp");
    await this.#call("retrieveBooksBalance");
    await this.#call("listBooksEntries", { query: "?account=tax&limit=2" });
    await this.#call("retrievePaymentMethods", { query: "?currency=GHS" });
    await this.#call("retrieveGateways");
    for (const name of eventNames) {
      const path = `/v2/events?event=${name}&after=${this.#seededUntil}&limit=1`;
      const found = await this.#shop.get(path);
      const happened = found.at("/data/0");
      const triggered = () => this.#shop.post("/v2/test/trigger", { event: name });
      this.examples.events[name] = happened ?? (await triggered()).body;
    }
  }

  /** A delivery of an event of the log, once there is one. */
  async #delivered(webhook: string): Promise<string> {
    const path = `/v2/webhooks/${webhook}/deliveries?status=succeeded&event=order.paid`;
    let found: unknown;
    await until(async () => {
      found = (await this.#shop.get(path)).at("/data/0/id");
      return typeof found === "string";
    }, "No event was delivered.");
    return String(found);
  }

  async ends(webhook: string): Promise<void> {
    const body = { email: "amina@example.com", name: "Amina Otieno" };
    const customer = await this.#call("createCustomer", { body });
    await this.#call("eraseCustomer", { id: customer.id });
    const product = await this.#call("createProduct", { body: { name: "Old Mug", price: 1 } });
    await this.#call("deleteProduct", { id: product.id });
    await this.#call("deleteWebhook", { id: webhook });
    await this.#call("listMagicValues");
    // One timer: how many emails wait to be sent differs from run to run.
    await this.#call("listTimers", { query: "?limit=1" });
    await this.#call("retrieveClock");
    await this.#call("updateClock", { body: { now: "2030-01-01T00:00:00Z" } });
    await this.#call("resetClock");
    await this.#call("resetTestShop");
  }
}
