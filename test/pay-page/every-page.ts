// A shop with one of each page that its customers read, and of each email.

import { emailOf, hookMessageOf } from "#accounts/code-message.ts";
import { cartAbandoned, findReminder } from "#emails/carts/find-reminder.ts";
import { claimReminder } from "#emails/carts/reminders.ts";
import { type EmailContent, writeLetter } from "#emails/content/write-letter.ts";
import { localizeEmails } from "#emails/words/localize.ts";
import { isId } from "#kernel/id.ts";
import { returnUrlOf } from "#sales/links/link-addresses.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { getStore } from "#shop/store/lookups.ts";

import { sentAbout } from "../emails/content/read-email.ts";
import { abandonedCart } from "../sales/carts/basket.ts";
import { cancel, fulfill, of, place } from "../sales/orders/counter.ts";
import { accra, berlin, discount, levies, must, tax } from "../sales/pricing/priced-shop.ts";
import { type Goods, kanga, mug } from "../support/cast.ts";
import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";
import { reprice } from "./abandoned-baskets.ts";
import { abandonedCup, delivering, type DeliveringShop, send } from "./delivery-shop.ts";

const customer = { email: "ada@example.com", phone: "+233201234567", name: "Ada Mensah" };
const tracking = { carrier: "DHL", number: "JD01", url: "https://dhl.example/JD01" };

export interface EveryPage extends AsyncDisposable {
  readonly shop: TestShop;
  /** The address of each page by its kind. */
  readonly urls: Readonly<Record<string, string>>;
  /** Each email in the language of the store, and the short message with a code. */
  emails(): Promise<{ readonly emails: readonly EmailContent[]; readonly message: string }>;
}

/** Opens the shop, whose locale is changed by its settings. */
export async function openEveryPage(): Promise<EveryPage> {
  const shop = await openTestShop({ asks: "nothing" });
  await shop.put("/v2/store", {
    name: "Akwaaba",
    timezone: "Africa/Abidjan",
    contact_email: "help@akwaaba.example",
    contact_phone: "+2252720304050",
    website_url: "https://akwaaba.example/",
    postal_address: "12 Ring Road, Accra",
    deposit_percent: 40,
  });
  await shop.post("/v2/customers", { ...customer, marketing_consent: true });
  const [cup, cloth] = [await mug(shop, { stock: 100 }), await kanga(shop, { stock: 100 })];
  const { urls: orders, toPay } = await ordersIn(shop, cup, cloth);
  const offered = await delivering(shop);
  await tax(shop, "GH", { rates: levies, prices_include_tax: true });
  await discount(shop, { title: "Akwaaba", codes: ["AKWAABA"] });
  const { left, ...carts } = await cartsIn(shop, offered, { cup, cloth });
  const paying = await payingIn(shop, toPay);
  const { database } = shop.test;
  const claim = { address: customer.email, messageId: "<1@akwaaba.example>" };
  const unsubscribe = (await database.write((tx) => claimReminder(tx, claim))) ?? "";
  const faults = { invalid: `${shop.url}/recover/nothing`, missing: `${shop.url}/nothing` };
  return {
    shop,
    urls: { ...orders, ...carts, ...paying, ...faults, unsubscribe },
    emails: () => emailsIn(shop, left, unsubscribe),
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  };
}

/** Orders that wait for each kind of payment, and those that are paid, sent, returned and cancelled. */
async function ordersIn(shop: TestShop, cup: Goods, cloth: Goods) {
  const shipping = { shipping_address: { ...accra, name: customer.name } };
  const order = (terms: object) =>
    place(shop, [of(cup, 2), of(cloth)], { customer, ...shipping, ...terms });
  const at = (placed: Answered) => placed.string("/status_url");
  const atTheDoor = await order({ payment_method: "cash_on_delivery" });
  const [codeAsked, toApprove, bought] = [await order({}), await order({}), await order({})];
  const paid = await order({ paid: { method: "bank_transfer" } });
  const [cups, cloths] = [0, 1].map((line) => paid.string(`/line_items/${line}/id`));
  shop.clock.advance(1);
  await fulfill(shop, paid, { line_items: [{ line_item_id: cups, quantity: 1 }], tracking });
  const partlySent = await order({ paid: { method: "bank_transfer" } });
  await fulfill(shop, partlySent, {
    line_items: [{ line_item_id: partlySent.string("/line_items/0/id"), quantity: 1 }],
  });
  const one = { line_items: [{ line_item_id: cups, quantity: 1 }] };
  const once = { headers: { "Idempotency-Key": "one" } };
  must(await shop.put(`/v2/orders/${paid.id}/cancel`, one, once), 200);
  await fulfill(shop, paid);
  const back = { line_items: [{ line_item_id: cloths, quantity: 1 }], reason: "damaged" };
  await shop.post(`/v2/orders/${paid.id}/returns`, back);
  const refunded = await order({});
  const card = { method: "card", card_token: "pm_card_visa" };
  await shop.post("/v2/payments/initialize", { order_id: refunded.id, ...card });
  await shop.post(`/v2/orders/${refunded.id}/refunds`, {});
  await shop.fireDue();
  const cancelled = await order({});
  await cancel(shop, cancelled);
  const byHand = await order({ payment_method: "bank_transfer" });
  const urls = {
    byHand: at(byHand),
    atTheDoor: at(atTheDoor),
    codeAsked: at(codeAsked),
    toApprove: at(toApprove),
    paid: at(paid),
    partlySent: at(partlySent),
    cancelled: at(cancelled),
    refunded: at(refunded),
  };
  return { urls, toPay: [codeAsked, toApprove, bought] };
}

/** Begins to pay the orders: with a code, on the phone, and on the hosted page, from which the customer returns. */
async function payingIn(shop: TestShop, [codeAsked, toApprove, bought]: readonly Answered[]) {
  const mobile = { method: "mobile_money", provider: "mtn" };
  for (const [order, phone] of [
    [codeAsked, "+233551234985"],
    [toApprove, "+233551234987"],
  ] as const) {
    must(
      await shop.post("/v2/payments/initialize", { order_id: order?.id, phone, ...mobile }),
      201,
    );
  }
  const hosted = await shop.post("/v2/payments/initialize", { order_id: bought?.id });
  const id = (await shop.get("/v2/payments")).string("/data/0/id");
  if (!isId("payment", id)) throw new Error(`${id} is no payment.`);
  const terms = await getLinkTerms(shop.test.database.read);
  const returned = returnUrlOf(terms, { id, createdAt: shop.clock.now() });
  return { returned, hosted: hosted.string("/authorization_url") };
}

/** Carts that still need an address, that go nowhere, and whose goods have changed. */
async function cartsIn(
  shop: TestShop,
  offered: DeliveringShop,
  { cup, cloth }: { readonly cup: Goods; readonly cloth: Goods },
) {
  const unaddressed = await abandonedCup(shop, offered, { shipping_address: null });
  const nowhere = await abandonedCup(shop, offered, { shipping_address: berlin });
  const toChoose = await abandonedCup(shop, offered);
  const left = await abandonedCart(shop, [of(offered.cup), of(cup), of(cloth)], {
    email: customer.email,
    shipping_address: accra,
    discount_codes: ["AKWAABA"],
  });
  const url = left.string("/recovery_url");
  await send(url, { choose: "delivery", shipping: offered.rider });
  await reprice(shop, cup, "13.50");
  await shop.put(`/v2/products/${cloth.productId}`, { status: "archived" });
  return {
    unaddressed: unaddressed.url,
    nowhere: nowhere.url,
    toChoose: toChoose.url,
    changed: url,
    left,
  };
}

async function emailsIn(shop: TestShop, left: Answered, unsubscribeUrl: string) {
  const { read } = shop.test.database;
  const reminder = isId("cart", left.id) && (await findReminder(read, left.id, shop.clock.now()));
  if (typeof reminder !== "object") throw new Error(`There is no reminder: ${reminder}.`);
  const store = await localizeEmails(await getStore(read));
  const to = { name: null, address: customer.email };
  const letter = cartAbandoned(reminder, unsubscribeUrl);
  const sent = { contact: { kind: "email", value: customer.email }, code: "482913" } as const;
  return {
    emails: [
      await sentAbout(shop, "order_placed", "order.placed"),
      await sentAbout(shop, "order_paid", "order.paid"),
      await sentAbout(shop, "order_shipped", "order.fulfilled", "order.updated"),
      await sentAbout(shop, "order_cancelled", "order.cancelled"),
      await sentAbout(shop, "order_refunded", "order.refunded"),
      writeLetter({ store, greeting: store.letters.hello(null), letter }, { to, unsubscribeUrl }),
      emailOf(sent, store),
    ],
    message: hookMessageOf(sent, store).text,
  };
}
