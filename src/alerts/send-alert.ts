// Workflow: sends an alert to its owner by email. Safe to repeat: after a crash it may be sent again, as the same message,
// which receivers know by its Message-ID.

import { type EmailAction, emailLife } from "#emails/email-life.ts";
import { messageIdOf, senderOf, type SendOutcome, settled, unsent } from "#emails/email.ts";
import type { EmailsShop } from "#emails/emails-shop.ts";
import { localizeEmails } from "#emails/words/localize.ts";
import { type Id, isId } from "#kernel/id.ts";
import { arrow } from "#kernel/machine.ts";
import type { Database, Tx } from "#platform/database/database.ts";
import type { MailMessage } from "#platform/net/smtp.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { findPeople } from "#shop/people/lookups.ts";
import { getStore } from "#shop/store/lookups.ts";

import { type Alert, SEND_TIMER } from "./alert.ts";
import { readFacts } from "./facts.ts";
import { addressOfAlert } from "./not-me.ts";
import { alertRows } from "./queries.ts";
import { writeAlert } from "./write-alert.ts";

/** The parts of the server from which alerts are sent. */
export interface SendingTerms {
  /** The live shop's, which has the people. */
  readonly people: Database;
  /** The dashboard's own address. */
  readonly dashboardUrl: () => string;
}

type Unsent = "no_recipient" | "act_gone";
type Outcome =
  | { readonly kind: "skipped"; readonly reason: Unsent }
  | (SendOutcome & { readonly messageId: string });

/** Afterwards the alert is sent, waits for its next attempt, or has ended. */
async function sendAlert(shop: EmailsShop, terms: SendingTerms, id: Id<"alert">): Promise<void> {
  const { database } = shop;
  const alert = await alertRows.find(database.read, id);
  if (alert?.status !== "waiting") {
    await database.write((tx) => clearTimer(tx, SEND_TIMER, id));
    return;
  }
  const outcome = await attempt(shop, terms, alert);
  await database.write((tx) => settleAlert(tx, alert, outcome));
}

async function attempt(shop: EmailsShop, terms: SendingTerms, alert: Alert): Promise<Outcome> {
  const message = await messageOf(shop, terms, alert);
  if (typeof message === "string") return { kind: "skipped", reason: message };
  const { messageId } = message;
  return { ...((await shop.mail?.send(message)) ?? unsent), messageId };
}

async function messageOf(
  { database, mail, mode }: EmailsShop,
  { people, dashboardUrl }: SendingTerms,
  alert: Alert,
): Promise<MailMessage | Unsent> {
  const db = database.read;
  const owner = (await findPeople(people.read, [alert.personId])).get(alert.personId);
  // An owner who was lowered is told of it, and of nothing else.
  const isTold = owner?.role === "owner" || owner?.id === alert.subject;
  if (!isTold || owner.email === null) return "no_recipient";
  const facts = await readFacts({ db, people: people.read }, alert);
  if (facts === null) return "act_gone";
  const store = await localizeEmails(await getStore(db));
  const { secret, publicUrl } = await getLinkTerms(db);
  const messageId =
    alert.messageId ?? messageIdOf({ id: alert.id, resentAt: null }, new URL(publicUrl).hostname);
  const url = addressOfAlert(alert, { secret, mode, dashboardUrl: dashboardUrl() });
  const to = { name: owner.name, address: owner.email };
  const from = senderOf(mail, store);
  return { ...writeAlert(to, store, { facts, url }), from, messageId };
}

/**
 * Saves the outcome of the alert as it was read, and sets the timer of its next attempt. One that another program settled
 * meanwhile stays as it is.
 */
async function settleAlert(tx: Tx, read: Alert, outcome: Outcome): Promise<void> {
  const alert = await alertRows.findLocked(tx, read.id);
  if (alert === undefined || alert.version !== read.version) return;
  await clearTimer(tx, SEND_TIMER, alert.id);
  if (outcome.kind === "skipped") {
    await advance(tx, alert, { action: "skip", error: outcome.reason });
    return;
  }
  const waitedMs = tx.now - alert.createdAt;
  const { action, change, waitMs } = settled({ attempts: alert.attempts, waitedMs }, outcome);
  const sent = action === "succeed" ? { sentAt: tx.now } : {};
  await advance(tx, alert, { action, ...change, ...sent, messageId: outcome.messageId });
  if (waitMs === null) return;
  await setTimer(tx, { name: SEND_TIMER, subject: alert.id, dueAt: tx.now + waitMs });
}

async function advance(
  tx: Tx,
  alert: Alert,
  { action, ...change }: Partial<Alert> & { readonly action: EmailAction },
): Promise<void> {
  const step = arrow(emailLife, alert.status, action);
  if (step === null) throw new Error(`An alert that is ${alert.status} cannot ${action}.`);
  await alertRows.save(tx, alert, { ...change, status: step.next });
}

/** The timer's work, for alerts alone. */
export async function sendDueAlert(
  shop: EmailsShop,
  terms: SendingTerms,
  subject: string,
): Promise<void> {
  if (isId("alert", subject)) await sendAlert(shop, terms, subject);
}
