// What a code is sent with. Pure.

import { CODE_MS, type CodeContact } from "#customers/sessions/session.ts";
import { type Letter, oneLine, texts } from "#emails/content/letter.ts";
import { renderHtml } from "#emails/content/render-html.ts";
import { renderText } from "#emails/content/render-text.ts";
import { en } from "#emails/content/words.ts";
import { MINUTE_MS } from "#kernel/time.ts";
import type { MailMessage } from "#platform/net/smtp.ts";
import type { Store } from "#shop/store/store.ts";

import type { HookMessage } from "./hook/hook.ts";

const MINUTES = CODE_MS / MINUTE_MS;

/** A code, and whom it is for. */
export interface CodeToSend {
  readonly contact: CodeContact;
  readonly code: string;
}

/** The code for the message hook. */
export function hookMessageOf({ contact, code }: CodeToSend, { name }: Store): HookMessage {
  return {
    channel: contact.kind === "email" ? "email" : "sms",
    to: contact.value,
    template: "sign_in_code",
    text: `${code} is your code for ${oneLine(name)}. It is valid for ${MINUTES} minutes.`,
    variables: { code, store: name, minutes: String(MINUTES) },
  };
}

/** The code as an email of the shop. Its subject does not have it: subjects are shown on locked screens and in logs. */
export function emailOf(
  { contact, code }: CodeToSend,
  store: Store,
): Pick<MailMessage, "to" | "replyTo" | "subject" | "text" | "html"> {
  const letter: Letter = {
    subject: `Your code for ${oneLine(store.name)}`,
    headline: "Your code",
    parts: [
      ...texts("paragraph", "Type this code to sign in:"),
      ...texts("amount", code),
      ...texts(
        "note",
        `It is valid for ${MINUTES} minutes. Give it to no one. If you did not ask for it, you can ignore this email.`,
      ),
    ],
  };
  const sheet = { store, greeting: en.hello(null), letter };
  return {
    to: { name: null, address: contact.value },
    replyTo: store.contactEmail,
    subject: letter.subject,
    text: renderText(sheet),
    html: renderHtml(sheet),
  };
}
