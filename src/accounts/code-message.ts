// Writes the message of a code. Pure.

import type { HookMessage } from "#accounts/hook/hook.ts";
import { CODE_MS, type CodeContact, spellCode } from "#customers/sessions/code.ts";
import { type Letter, texts } from "#emails/content/letter.ts";
import { type EmailContent, writeLetter } from "#emails/content/write-letter.ts";
import type { MailingStore } from "#emails/words/localize.ts";
import { MINUTE_MS } from "#kernel/time.ts";
import { oneLine } from "#kernel/typed-text.ts";

const MINUTES = CODE_MS / MINUTE_MS;

/** A code, and whom it is for. */
export interface CodeToSend {
  readonly contact: CodeContact;
  readonly code: string;
}

/** The code for the message hook. */
export function hookMessageOf({ contact, code }: CodeToSend, store: MailingStore): HookMessage {
  const { name, letters } = store;
  return {
    channel: contact.kind === "email" ? "email" : "sms",
    to: contact.value,
    template: "sign_in_code",
    text: letters.code.message(spellCode(code), { shop: oneLine(name), minutes: MINUTES }),
    variables: { code, store: name, minutes: String(MINUTES) },
  };
}

/** The code as an email of the shop. Its subject does not have it: subjects are shown on locked screens and in logs. */
export function emailOf({ contact, code }: CodeToSend, store: MailingStore): EmailContent {
  const { hello, code: says } = store.letters;
  const letter: Letter = {
    subject: says.subject(store.name),
    headline: says.headline,
    parts: [
      ...texts("paragraph", says.act),
      ...texts("amount", spellCode(code)),
      ...texts("note", says.note(MINUTES)),
    ],
  };
  const to = { name: null, address: contact.value };
  return writeLetter({ store, greeting: hello(null), letter }, { to, unsubscribeUrl: null });
}
