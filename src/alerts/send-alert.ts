// Workflow: sends an alert to its person, by email or to a browser. Safe to repeat: after a crash it may be sent again, as the
// same message, which mail programs know by its Message-ID and browsers by its tag.

import { type EmailAction, emailLife } from "#emails/email-life.ts";
import { messageIdOf, senderOf, type SendOutcome, settled, unsent } from "#emails/email.ts";
import { localizeEmails, type MailingStore } from "#emails/words/localize.ts";
import { type Id, isId } from "#kernel/id.ts";
import { arrow } from "#kernel/machine.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { alertRulesOf } from "#shop/people/alert-rules.ts";
import { findPeople } from "#shop/people/lookups.ts";
import type { Person } from "#shop/people/person.ts";
import { getStore } from "#shop/store/lookups.ts";

import { type Alert, PUSH_TIMER, SEND_TIMER, topicOf } from "./alert.ts";
import type { AlertsShop, SendingTerms } from "./alerts-shop.ts";
import { NEWS_MS } from "./follow-news.ts";
import { letterTo } from "./mail-own-email.ts";
import { pushMessage } from "./push-alert.ts";
import { alertRows } from "./queries.ts";
import { type Said, sayAlert } from "./say-alert.ts";
import { isActKind } from "./tables.ts";

type Unsent = "no_recipient" | "turned_off" | "act_gone" | "too_old" | "subscription_gone";
type Outcome =
  | { readonly kind: "skipped"; readonly reason: Unsent }
  | (SendOutcome & { readonly messageId: string | null });

/** Afterwards the alert is sent, waits for its next attempt, or has ended. */
async function sendAlert(shop: AlertsShop, terms: SendingTerms, id: Id<"alert">): Promise<void> {
  const { database } = shop;
  const alert = await alertRows.find(database.read, id);
  if (alert?.status !== "waiting") {
    await database.write((tx) => clearTimers(tx, id));
    return;
  }
  const outcome = await attempt(shop, terms, alert);
  await database.write((tx) => settleAlert(tx, alert, outcome));
}

async function attempt(shop: AlertsShop, terms: SendingTerms, alert: Alert): Promise<Outcome> {
  const { people } = terms;
  const person = (await findPeople(people.read, [alert.personId])).get(alert.personId);
  const reason = whyNotTold(person, alert, shop.clock.now());
  if (reason !== null || person === undefined)
    return { kind: "skipped", reason: reason ?? "no_recipient" };
  const store = await localizeEmails(await getStore(shop.database.read));
  const said = await sayAlert(shop, terms, { alert, store });
  if (said === null) return { kind: "skipped", reason: "act_gone" };
  return alert.channel === "push"
    ? pushIt(shop, terms, { alert, said })
    : mailIt(shop, { alert, store, said, person });
}

/** Why the person is not told now; null if they are. */
function whyNotTold(person: Person | undefined, alert: Alert, now: number): Unsent | null {
  const { kind, channel, subject, createdAt } = alert;
  if (person === undefined || person.removedAt !== null) return "no_recipient";
  if (isActKind(kind)) {
    // An owner who was lowered is told of it, and of nothing else.
    const isTold = person.role === "owner" || person.id === subject;
    return isTold && (channel === "push" || person.email !== null) ? null : "no_recipient";
  }
  if (now - createdAt > NEWS_MS) return "too_old";
  return alertRulesOf(person)[topicOf(kind)].includes(channel) ? null : "turned_off";
}

interface Saying {
  readonly alert: Alert;
  readonly store: MailingStore;
  readonly said: Said;
}

async function mailIt(
  { database, mail }: AlertsShop,
  { alert, store, said, person }: Saying & { readonly person: Person },
): Promise<Outcome> {
  if (person.email === null) return { kind: "skipped", reason: "no_recipient" };
  const { publicUrl } = await getLinkTerms(database.read);
  const messageId =
    alert.messageId ?? messageIdOf({ id: alert.id, resentAt: null }, new URL(publicUrl).hostname);
  const to = { name: person.name, address: person.email };
  const message = { ...letterTo(to, store, said.letter), from: senderOf(mail, store), messageId };
  return { ...((await mail?.send(message)) ?? unsent), messageId };
}

async function pushIt(
  shop: AlertsShop,
  { people }: SendingTerms,
  { alert: { subscriptionId }, said }: Pick<Saying, "alert" | "said">,
): Promise<Outcome> {
  const sent = await pushMessage(shop, people, { subscriptionId, message: said.push });
  if (sent === null) return { kind: "skipped", reason: "subscription_gone" };
  return { ...sent, messageId: null };
}

/**
 * Saves the outcome of the alert as it was read, and sets the timer of its next attempt. One that another program settled
 * meanwhile stays as it is.
 */
async function settleAlert(tx: Tx, read: Alert, outcome: Outcome): Promise<void> {
  const alert = await alertRows.findLocked(tx, read.id);
  if (alert === undefined || alert.version !== read.version) return;
  await clearTimers(tx, alert.id);
  if (outcome.kind === "skipped") {
    await advance(tx, alert, { action: "skip", error: outcome.reason });
    return;
  }
  const waitedMs = tx.now - alert.createdAt;
  const { action, change, waitMs } = settled({ attempts: alert.attempts, waitedMs }, outcome);
  const sent = action === "succeed" ? { sentAt: tx.now } : {};
  await advance(tx, alert, { action, ...change, ...sent, messageId: outcome.messageId });
  if (waitMs === null) return;
  const name = alert.channel === "push" ? PUSH_TIMER : SEND_TIMER;
  await setTimer(tx, { name, subject: alert.id, dueAt: tx.now + waitMs });
}

async function clearTimers(tx: Tx, id: string): Promise<void> {
  for (const name of [SEND_TIMER, PUSH_TIMER]) await clearTimer(tx, name, id);
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
  shop: AlertsShop,
  terms: SendingTerms,
  subject: string,
): Promise<void> {
  if (isId("alert", subject)) await sendAlert(shop, terms, subject);
}
