// The emails of a test shop, as its events lead to them.

import { composeEmail } from "#emails/content/compose-email.ts";
import type { EmailContent } from "#emails/content/write-letter.ts";
import type { OrderTemplate, SkipReason } from "#emails/email.ts";

import type { TestShop } from "../../support/shop.ts";

/** The email about the newest event of these names, as it reads now, or why there is none. */
export async function emailAbout(
  shop: TestShop,
  template: OrderTemplate,
  ...names: readonly string[]
): Promise<EmailContent | SkipReason> {
  const event = (await shop.events()).findLast(({ name }) => names.includes(name));
  if (event === undefined) throw new Error(`There is no event of ${names.join(", ")}.`);
  return composeEmail(shop.test.database.read, { template, event });
}

/** The same, which has to be sent. */
export async function sentAbout(
  shop: TestShop,
  template: OrderTemplate,
  ...names: readonly string[]
): Promise<EmailContent> {
  const email = await emailAbout(shop, template, ...names);
  if (typeof email === "string") throw new Error(`There is no email of ${template}: ${email}.`);
  return email;
}
