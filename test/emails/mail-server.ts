// A mail server that answers as a test says, and orders whose emails went to it.

import { of, place } from "../sales/orders/counter.ts";
import { mug } from "../support/cast.ts";
import type { Answered, TestShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

/** An order by Ada that waits for her transfer, with its email, which the mail server answers so. */
export async function orderWithEmail(shop: TestShop, outcome: object): Promise<Answered> {
  const { mail } = shop.test;
  if (mail === null) throw new Error("The test shop sends emails.");
  Object.assign(mail, { send: () => Promise.resolve({ response: "", codes: "", ...outcome }) });
  const customer = { email: "ada@example.com", name: "Ada Mensah" };
  const order = await place(shop, [of(await mug(shop))], {
    customer,
    payment_method: "bank_transfer",
  });
  await settled(shop);
  return order;
}

/** Resolves once no email waits to be made or sent. */
async function settled(shop: TestShop): Promise<void> {
  await until(async () => {
    await shop.fireDue();
    const emails = await shop.get("/v2/emails");
    return emails.list("/data").length > 0 && !emails.text.includes('"status":"waiting"');
  }, "The emails were not sent.");
}
