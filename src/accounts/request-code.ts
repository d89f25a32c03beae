// Workflow: a code for a contact. It does the same whether a customer has the contact or not, and sends after it has
// answered, so that neither the answer nor its time tells.

import { findHook } from "#accounts/hook/queries.ts";
import { sendToHook } from "#accounts/hook/send-to-hook.ts";
import { findCustomerByContact } from "#customers/lookups.ts";
import { verifiedAtOf } from "#customers/sessions/claim-contact.ts";
import { asContact, type CodeContact, networkShare } from "#customers/sessions/code.ts";
import { type CodeFate, countCode, issueCode } from "#customers/sessions/issue-code.ts";
import { senderOf } from "#emails/email.ts";
import { localizeEmails, type MailingStore } from "#emails/words/localize.ts";
import { newRequestId } from "#kernel/id.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { DAY_MS } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Charge } from "#platform/http/limits/budgets.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { getStore } from "#shop/store/lookups.ts";
import { type LimitSettings, publicLimitsOf } from "#shop/store/public-limits.ts";

import type { AccountsShop, SendFault } from "./accounts-shop.ts";
import { outletOf } from "./code-kinds.ts";
import { type CodeToSend, emailOf, hookMessageOf } from "./code-message.ts";

// Lookup: how a code leaves the shop.

export const codesNotConfigured = defineRefusal("codes_not_configured", "conflict", {
  title: "The shop cannot send codes to contacts of this kind.",
  cause:
    "Codes to emails need `DUKA_SMTP_URL`, or a message hook with `takes_emails`; those to phones need a message hook.",
  remedy: "Set `DUKA_SMTP_URL` and `DUKA_MAIL_FROM`, or a hook by `PUT /v2/message-hook`.",
});

const settingNames = {
  email: "`DUKA_SMTP_URL`",
  phone: "the message hook (`PUT /v2/message-hook`)",
} as const;

/** Sends a code. Returns why it was not taken; null if it was. */
type SendCode = (sent: CodeToSend) => Promise<SendFault | null>;

/** How codes to contacts of this kind are sent. Refuses with `codes_not_configured`. */
async function findWay(shop: AccountsShop, kind: CodeContact["kind"]): Promise<SendCode> {
  const outlet = outletOf(shop, await findHook(shop.database.read), kind);
  switch (outlet?.by) {
    case "hook":
      return async (sent) =>
        sendToHook(shop, outlet.hook, hookMessageOf(sent, await getMailingStore(shop)));
    case "mail":
      return (sent) => sendEmail(shop, outlet.mail, sent);
    case "inbox":
      return async (sent) => {
        await outlet.take(hookMessageOf(sent, await getMailingStore(shop)));
        return null;
      };
    case undefined:
      throw codesNotConfigured({
        detail: `Codes to this contact need ${settingNames[kind]}, which is not set.`,
      });
  }
}

async function sendEmail(
  shop: AccountsShop,
  mail: NonNullable<AccountsShop["mail"]>,
  sent: CodeToSend,
): Promise<SendFault | null> {
  const store = await getMailingStore(shop);
  const { hostname } = new URL((await getLinkTerms(shop.database.read)).publicUrl);
  const outcome = await mail.send({
    ...emailOf(sent, store),
    from: senderOf(mail, store),
    messageId: `<${newRequestId()}@${hostname}>`,
  });
  return outcome.kind === "accepted" ? null : `${outcome.fault} ${outcome.codes}`.trimEnd();
}

async function getMailingStore({ database }: AccountsShop): Promise<MailingStore> {
  return localizeEmails(await getStore(database.read));
}

const limitNames = { email: "email_codes_per_day", phone: "phone_codes_per_day" } as const;

export interface RequestedCode {
  readonly expiresAt: number;
  readonly challenge: string;
  readonly digits: number;
}

/**
 * Returns when the code expires that is sent, and the challenge with which it is given back. One that exceeds the shop's
 * limit of a day is not sent; the answer does not tell. Refuses with `codes_not_configured` and `rate_limited`.
 */
export async function requestCode(
  shop: AccountsShop,
  contact: CodeContact,
  network: string | null,
): Promise<RequestedCode> {
  const send = await findWay(shop, contact.kind);
  const store = await getStore(shop.database.read);
  const magic = shop.magicCodeOf(contact);
  const isLimited = shop.mode === "live" || store.enforceLimits;
  const isCounted = isLimited && magic === null;
  const charge = chargeOf(contact.kind, network, perDayOf(contact, store));
  const { issued, counted } = await shop.database.write(async (tx) => ({
    issued: await issueCode(tx, contact, { magic, isLimited, network }),
    counted: isCounted ? await count(tx, shop, { contact, charge, store }) : null,
  }));
  const { code, expiresAt, challenge, digits } = issued;
  if (magic === null)
    leave(shop, counted, { send: () => send({ contact, code }), charge, contact, network });
  return { expiresAt, challenge, digits };
}

interface Leaving {
  readonly send: () => Promise<SendFault | null>;
  readonly charge: Charge;
  readonly contact: CodeContact;
  readonly network: string | null;
}

/** Sends the code after the answer, or tells the merchant of the first that is withheld. `counted` is null without limits. */
function leave(shop: AccountsShop, counted: CountedCode | null, leaving: Leaving): void {
  const { send, charge, contact, network } = leaving;
  if (counted === null || counted.fate === "sent") {
    // After the transaction, which may have run again.
    if (counted?.isOfStranger === true) shop.strangersCodes.take([charge], shop.clock.now());
    shop.sendLater(send);
    return;
  }
  shop.marks.count("codes", network);
  if (counted.fate === "withheld") {
    shop.sendLater(async () => `the store's \`limits.${limitNames[contact.kind]}\` is reached`);
  }
}

interface CountedCode {
  readonly fate: CodeFate;
  readonly isOfStranger: boolean;
}

function perDayOf({ kind }: CodeContact, store: LimitSettings): number {
  const { emailCodesPerDay, phoneCodesPerDay } = publicLimitsOf(store);
  return kind === "email" ? emailCodesPerDay : phoneCodesPerDay;
}

/** One code of a network in the budget of its kind. */
function chargeOf(kind: CodeContact["kind"], network: string | null, perDay: number): Charge {
  const budget = { name: kind, unit: "wide", limit: networkShare(perDay), perMs: DAY_MS } as const;
  return { budget, unit: network ?? "", network: network ?? "" };
}

interface Asked {
  readonly contact: CodeContact;
  readonly charge: Charge;
  readonly store: LimitSettings;
}

/** Counts the code against the limit of a day. */
async function count(
  tx: Tx,
  { strangersCodes }: AccountsShop,
  { contact, charge, store }: Asked,
): Promise<CountedCode> {
  const { kind } = contact;
  const holder = await findCustomerByContact(tx, asContact(contact));
  const isKnown = holder !== undefined && verifiedAtOf(holder, kind) !== null;
  const hadShare = strangersCodes.peek(charge, tx.now).left === 0;
  const fate = await countCode(tx, { kind, perDay: perDayOf(contact, store), isKnown, hadShare });
  return { fate, isOfStranger: !isKnown };
}
