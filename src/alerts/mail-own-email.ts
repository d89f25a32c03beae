// Workflow: sends a person the link that shows that an email is theirs, or the link to a new password.

import { greetingOf, leadTo, type Letter, texts } from "#emails/content/letter.ts";
import { type EmailContent, writeLetter } from "#emails/content/write-letter.ts";
import { emailNotConfigured, senderOf } from "#emails/email.ts";
import type { EmailsShop } from "#emails/emails-shop.ts";
import { localizeEmails, type MailingStore } from "#emails/words/localize.ts";
import { newRequestId } from "#kernel/id.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { HOUR_MS } from "#kernel/time.ts";
import { typed } from "#kernel/typed-text.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { EMAIL_LINK_MS } from "#shop/people/credentials/own-email.ts";
import { getStore } from "#shop/store/lookups.ts";

const emailNotSent = defineRefusal(
  "person_email_not_sent",
  "conflict",
  "The mail server did not take the email: check the address, and try again in a minute.",
);

/** A person of the shop to whom a letter goes. */
export interface Addressee {
  readonly name: string;
  readonly address: string;
}

type MailingShop = Pick<EmailsShop, "database" | "mail">;

/**
 * Sends it at once, and throws what the caller tells the person. Refuses with `email_not_configured` and
 * `person_email_not_sent`.
 */
export async function mailOwnEmail(shop: MailingShop, to: Addressee, url: string): Promise<void> {
  await mailLetter(shop, to, ({ letters: { ownEmail: says }, name }) => ({
    subject: says.subject(name),
    headline: says.headline,
    parts: [
      ...texts("paragraph", says.sentence(name)),
      ...leadTo("button", says.confirm, url),
      ...texts("note", says.note(EMAIL_LINK_MS / HOUR_MS)),
    ],
  }));
}

/** Sends the link to a new password. Refuses as `mailOwnEmail` does. */
export async function mailRecovery(
  shop: MailingShop,
  to: Addressee,
  { url, minutes }: { readonly url: string; readonly minutes: number },
): Promise<void> {
  await mailLetter(shop, to, ({ letters: { forgotten: says }, name }) => ({
    subject: says.subject(name),
    headline: says.headline,
    parts: [
      ...texts("paragraph", says.sentence(name)),
      ...leadTo("button", says.choose, url),
      ...texts("note", says.note(minutes)),
    ],
  }));
}

async function mailLetter(
  { database, mail }: MailingShop,
  to: Addressee,
  write: (store: MailingStore) => Letter,
): Promise<void> {
  if (mail === null) throw emailNotConfigured();
  const store = await localizeEmails(await getStore(database.read));
  const { hostname } = new URL((await getLinkTerms(database.read)).publicUrl);
  const { kind } = await mail.send({
    ...letterTo(to, store, write(store)),
    from: senderOf(mail, store),
    messageId: `<${newRequestId()}@${hostname}>`,
  });
  if (kind !== "accepted") throw emailNotSent();
}

/** A letter to a person of the shop, without the ways to reach the shop, which they know. */
export function letterTo(
  { name, address }: Addressee,
  store: MailingStore,
  letter: Letter,
): EmailContent {
  const own = { ...store, contactEmail: null, contactPhone: null, supportLine: null };
  const sheet = { store: own, greeting: greetingOf(name, store), letter };
  return writeLetter(sheet, { to: { name: typed(name), address }, unsubscribeUrl: null });
}
