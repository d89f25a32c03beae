// A shop that sends emails to customers.

import type { Shop } from "#platform/database/shop.ts";
import type { Mailbox } from "#platform/net/mail-addresses.ts";
import type { SendMail } from "#platform/net/smtp.ts";

/** How emails leave the shop: by the mail server in live mode, into the inbox in test mode. */
export interface Mail {
  readonly send: SendMail;
  /** Whom they are from; without a name, they have that of the store. */
  readonly from: Mailbox;
}

export interface EmailsShop extends Shop {
  /** Null where no email can be sent. */
  readonly mail: Mail | null;
}
