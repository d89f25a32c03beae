// Workflow: a short email to an address of the merchant, to see whether the mail server takes it.

import { emailNotConfigured } from "#emails/email.ts";
import type { EmailsShop } from "#emails/emails-shop.ts";
import { newRequestId } from "#kernel/id.ts";
import type { MailOutcome } from "#platform/net/smtp.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { getStore } from "#shop/store/lookups.ts";

/** Sends it at once, and answers what the server said. Refuses with `email_not_configured`. */
export async function sendTestEmail(
  { database, mail }: EmailsShop,
  to: string,
): Promise<MailOutcome> {
  if (mail === null) throw emailNotConfigured();
  const { name } = await getStore(database.read);
  const { hostname } = new URL((await getLinkTerms(database.read)).publicUrl);
  const text = `This is a test email of ${name}. The emails to your customers are sent the same way.`;
  return mail.send({
    messageId: `<${newRequestId()}@${hostname}>`,
    from: { name: mail.from.name ?? name, address: mail.from.address },
    to: { name: null, address: to },
    replyTo: null,
    unsubscribeUrl: null,
    language: "en",
    subject: `Test email of ${name}`,
    text,
    html: `<p>${Bun.escapeHTML(text)}</p>`,
  });
}
