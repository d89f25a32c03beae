// Reads what is set of emails to customers.

import { type Mailbox, readMailbox } from "#platform/net/mailbox.ts";
import { readSmtpUrl, type SmtpServer } from "#platform/net/smtp-server.ts";

import type { Intake } from "./intake.ts";
import { mailSettings } from "./mail-settings.ts";

export interface MailConfig {
  /** Null means that no email leaves this program. */
  readonly server: SmtpServer | null;
  /** Not null beside a server. */
  readonly from: Mailbox | null;
}

/** Reads both settings, the second of which the first one needs. */
export function readMail(intake: Intake): MailConfig {
  const url = intake.option(mailSettings.smtpUrl);
  const from = intake.option(mailSettings.mailFrom);
  if (url !== null && intake.given[mailSettings.mailFrom.name] === undefined) {
    intake.add(mailSettings.mailFrom, `must be set with ${mailSettings.smtpUrl.name}`);
  }
  return {
    server: url === null ? null : readSmtpUrl(url),
    from: from === null ? null : readMailbox(from),
  };
}
