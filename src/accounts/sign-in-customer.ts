// Workflow: a customer signs in with a code. A wrong one is committed as a try before it is refused.

import { claimContact } from "#customers/sessions/claim-contact.ts";
import { type OpenedSession, openSession } from "#customers/sessions/open-session.ts";
import { type CodeContact, codeInvalid } from "#customers/sessions/session.ts";
import { useCode } from "#customers/sessions/use-code.ts";
import type { Shop } from "#platform/database/shop.ts";

/** Opens a session of the customer whose contact it is, a new one if need be. Refuses with `code_invalid`. */
export async function signInCustomer(
  { database }: Shop,
  contact: CodeContact,
  code: string,
): Promise<OpenedSession> {
  const opened = await database.write(async (tx) =>
    (await useCode(tx, contact, code)) ? openSession(tx, await claimContact(tx, contact)) : null,
  );
  if (opened === null) throw codeInvalid();
  return opened;
}
