// A shop whose people are told of it: by email, and in browsers that they subscribed.

import type { AnalyticsShop } from "#analytics/analytics-shop.ts";
import type { EmailsShop } from "#emails/emails-shop.ts";
import type { Database } from "#platform/database/database.ts";
import type { CallOut } from "#platform/net/call-out.ts";

/** A message as a browser shows it. */
export interface PushMessage {
  readonly title: string;
  readonly body: string;
  /** A later message with the same tag takes the place of this one. */
  readonly tag: string;
  /** The page that a tap opens. */
  readonly url: string;
}

export interface AlertsShop extends EmailsShop, AnalyticsShop {
  readonly callOut: CallOut;
  /** In test mode, takes what would be pushed; null in live mode. */
  readonly pushInbox: ((message: PushMessage) => Promise<void>) | null;
}

/** The parts of the server from which alerts are sent. */
export interface SendingTerms {
  /** The live shop's, which has the people. */
  readonly people: Database;
  /** The dashboard's own address. */
  readonly dashboardUrl: () => string;
}
