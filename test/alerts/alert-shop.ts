// A shop whose owners are told of what concerns its safety, by a mail server on loopback.

import { AuditFollower } from "#alerts/follow-audit.ts";
import { followNews } from "#alerts/follow-news.ts";
import type { Mode } from "#platform/database/shop.ts";
import { getPersonByName } from "#shop/people/lookups.ts";
import { setEmail } from "#shop/people/queries.ts";

import { type DashboardShop, openDashboard, type Visitor } from "../dashboard/dashboard-shop.ts";
import type { TestShop, TestShopOptions } from "../support/shop.ts";
import {
  type HeardEmail,
  openSmtpReceiver,
  type SmtpReceiver,
  type SmtpReceiverTerms,
} from "../support/smtp-receiver.ts";

export interface AlertShop extends DashboardShop {
  readonly receiver: SmtpReceiver;
  /** The emails so far to the address, once all that happened is told. */
  told(address?: string): Promise<HeardEmail[]>;
}

export const AMA = "ama@example.com";

/** Opens the shop; its owner Ama has an email. */
export async function openAlertShop(
  terms: SmtpReceiverTerms = {},
  options: TestShopOptions = {},
): Promise<AlertShop> {
  const receiver = await openSmtpReceiver(terms);
  const mail = { DUKA_SMTP_URL: receiver.url, DUKA_MAIL_FROM: "shop@shop.example" };
  const settings = { ...options.settings, ...mail };
  const dashboard = await openDashboard({ ...options, settings });
  await giveEmail(dashboard.shop, dashboard.owner, AMA);
  return {
    ...dashboard,
    receiver,
    told: async (address = AMA) => {
      await tellDue(dashboard.shop, "live");
      return receiver.heard.filter(({ to }) => to === address);
    },
    [Symbol.asyncDispose]: async () => {
      await dashboard[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

/** Gives the person an email that they have confirmed. */
export async function giveEmail(shop: TestShop, { name }: Visitor, email: string): Promise<void> {
  await shop.live.database.write(async (tx) => {
    const { id } = await getPersonByName(tx, name);
    await setEmail(tx, { id, email, emailVerifiedAt: tx.now });
  });
}

/** Makes the alerts of all acts, and sends those that are due. */
export async function tellDue(shop: TestShop, mode: Mode): Promise<void> {
  const opened = shop.duka.shops[mode];
  const { database, mail } = opened;
  const people = shop.live.database;
  await new AuditFollower({ database, people, canSend: mail !== null }).step();
  while (await followNews(opened, people));
  await shop.duka.timers[mode].fireDue();
}

/** The text of an email, without the soft breaks of its lines. */
export function textOf(email: HeardEmail | undefined): string {
  const [text = ""] = (email?.source ?? "").split("<!doctype");
  return text
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/(?:=[0-9A-F]{2})+/g, (bytes) => decodeURIComponent(bytes.replaceAll("=", "%")))
    .replaceAll(/[\u2066-\u2069]/g, "");
}
