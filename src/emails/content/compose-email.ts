// Lookup: the email about an event, as the order reads now.

import type { EmailTemplate } from "#emails/email.ts";
import { isId } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import type { LoggedEvent } from "#platform/event-log/event-log.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { statusUrlOf } from "#sales/links/order-link.ts";
import { findOrder } from "#sales/orders/lookups.ts";
import { getStore } from "#shop/store/get-store.ts";

export interface EmailContent {
  readonly to: { readonly name: string | null; readonly address: string };
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The email about the event as it reads now; undefined if there is no one to send it to, or nothing to say any more. */
export async function composeEmail(
  db: Reader,
  { template, event }: { readonly template: EmailTemplate; readonly event: LoggedEvent },
): Promise<EmailContent | undefined> {
  const order = isId("order", event.subject) ? await findOrder(db, event.subject) : undefined;
  const address = order?.customer?.email ?? null;
  if (order === undefined || address === null) return undefined;
  const { contactEmail } = await getStore(db);
  const text = statusUrlOf(await getLinkTerms(db), order);
  const subject = `Order ${order.number}: ${template}`;
  const to = { name: order.customer?.name ?? null, address };
  return { to, replyTo: contactEmail, subject, text, html: Bun.escapeHTML(text) };
}
