// Writes a letter as an email. Pure.

import type { MailMessage } from "#platform/net/smtp.ts";
import { tagOf } from "#shop/store/branding.ts";

import { oneLine, type Sheet } from "./letter.ts";
import { renderHtml } from "./render-html.ts";
import { renderText } from "./render-text.ts";

/** An email but for its sender and its name. */
export type EmailContent = Omit<MailMessage, "from" | "messageId">;

/** Returns the email to this address. */
export function writeLetter(
  sheet: Sheet,
  way: Pick<EmailContent, "to" | "unsubscribeUrl">,
): EmailContent {
  const { contactEmail, language, locale } = sheet.store;
  return {
    ...way,
    replyTo: contactEmail,
    language: tagOf(language, locale),
    subject: oneLine(sheet.letter.subject),
    text: renderText(sheet),
    html: renderHtml(sheet),
  };
}
