// The settings of emails to customers: the server that takes them, and their sender.

import { readMailbox, readSmtpUrl } from "#platform/net/mail-addresses.ts";

import type { Kind, Setting, SettingValue } from "./setting.ts";

/** Errors never repeat the URL, because it contains a password. */
const smtpUrl: Kind<string> = {
  range: "smtp://user:password@host:port, or smtps:// for TLS from the first byte",
  read(text) {
    readSmtpUrl(text);
    return text;
  },
};

const mailbox: Kind<string> = {
  range: "an email address, or Name <address>",
  read(text) {
    readMailbox(text);
    return text;
  },
};

export const mailSettings = {
  smtpUrl: {
    name: "DUKA_SMTP_URL",
    kind: smtpUrl,
    default: null,
    unit: null,
    meaning: "The mail server that takes the emails to customers of live mode.",
    reason: "None: live mode sends no emails. Those of test mode are in its inbox in any case.",
    isSecret: true,
  },
  mailFrom: {
    name: "DUKA_MAIL_FROM",
    kind: mailbox,
    default: null,
    unit: null,
    meaning: "The sender of emails to customers, such as Shop <orders@shop.example>.",
    reason: "Needed with DUKA_SMTP_URL; an address alone has the name of the store before it.",
  },
} satisfies Readonly<Record<string, Setting<SettingValue>>>;
