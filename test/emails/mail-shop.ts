// A live shop whose emails go to a mail server on loopback.

import { followLog } from "#emails/sending/decide-emails.ts";
import type { Mode } from "#platform/database/shop.ts";

import {
  type Answered,
  openTestShop,
  type TestShop,
  type TestShopOptions,
} from "../support/shop.ts";
import {
  openSmtpReceiver,
  type SmtpReceiver,
  type SmtpReceiverTerms,
} from "../support/smtp-receiver.ts";

export const FROM = "orders@shop.example";

export class MailShop implements AsyncDisposable {
  readonly shop: TestShop;
  readonly receiver: SmtpReceiver;
  /** A live key with every scope. */
  readonly key: string;

  constructor(parts: Pick<MailShop, "shop" | "receiver" | "key">) {
    this.shop = parts.shop;
    this.receiver = parts.receiver;
    this.key = parts.key;
  }

  /** A live order that is paid at the door, of Ada's unless told otherwise. */
  async order(body: object = {}): Promise<Answered> {
    const [product] = (await this.get("/v2/products")).list("/data").map(Object);
    return this.post("/v2/orders", {
      customer: { email: "ada@example.com", name: "Ada Mensah" },
      line_items: [{ variant_id: product.variants[0].id, quantity: 1 }],
      payment_method: "cash_on_delivery",
      ...body,
    });
  }

  /** Ships an order, later than it was placed: what is handed over at once has no email. */
  ship(id: string): Promise<Answered> {
    this.shop.clock.advance(1);
    return this.shop.put(`/v2/orders/${id}/fulfill`, {}, { key: this.key });
  }

  get(path: string): Promise<Answered> {
    return this.shop.get(path, { key: this.key });
  }

  post(path: string, body: object = {}): Promise<Answered> {
    return this.shop.post(path, body, { key: this.key });
  }

  /** Cancels the last fulfillment of the order. */
  unship(order: Answered): Promise<Answered> {
    const { id } = Object(order.list("/fulfillments").at(-1));
    return this.post(`/v2/orders/${order.id}/fulfillments/${id}/cancel`);
  }

  /** Each live email as `template status error`, oldest first, once nothing is due any more. */
  async emails(): Promise<string[]> {
    await sendDue(this.shop, "live");
    return linesOf(await this.get("/v2/emails"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.shop[Symbol.asyncDispose]();
    await this.receiver[Symbol.asyncDispose]();
  }
}

/** Opens the shop, with a mug to sell. */
export async function openMailShop(
  terms: SmtpReceiverTerms = {},
  options: TestShopOptions = {},
): Promise<MailShop> {
  const receiver = await openSmtpReceiver(terms);
  const settings = { DUKA_SMTP_URL: receiver.url, DUKA_MAIL_FROM: FROM };
  const shop = await openTestShop({ settings, ...options });
  const key = await shop.createKey({ mode: "live" });
  const opened = new MailShop({ shop, receiver, key });
  await opened.post("/v2/products", { name: "Mug", sku: "MUG", price: 12.5, stock: 10 });
  return opened;
}

/** Makes the emails of all events, and sends those that are due. */
export async function sendDue(shop: TestShop, mode: Mode): Promise<void> {
  while (await followLog(shop.duka.shops[mode]));
  await shop.duka.timers[mode].fireDue();
}

/** Each email as `template status error`, oldest first. */
export function linesOf(list: Answered): string[] {
  const found = list.list("/data").map(Object).toReversed();
  return found.map(({ template, status, error }) =>
    [template, status, error].filter((part) => part !== null).join(" "),
  );
}
