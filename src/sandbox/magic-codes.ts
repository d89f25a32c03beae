// The contacts of test mode that stand for no one: their code is always the same, and is not sent.

import type { CodeContact } from "#customers/sessions/session.ts";
import { isMagicPhone } from "#sandbox/simulated-gateway/magic.ts";

const MAGIC_CODE = "000000";
/** Reserved for documentation (RFC 2606). */
const MAGIC_DOMAIN = "@example.com";

/** The code of the contact; null for one that is sent a code of its own. */
export function magicCodeOf({ kind, value }: CodeContact): string | null {
  const isMagic = kind === "email" ? value.endsWith(MAGIC_DOMAIN) : isMagicPhone(value);
  return isMagic ? MAGIC_CODE : null;
}
