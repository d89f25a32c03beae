// Story: a code to a phone is counted, since each costs the merchant an SMS.

import { DAY_MS, HOUR_MS } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";

import { addPhoneCodes, phoneCodesAfter } from "./queries.ts";

/** `told`: the code is not sent, and the merchant was told of an earlier one. */
export type PhoneCodeFate = "sent" | "withheld" | "told";

/** Counts the code as sent, or as withheld if as many were sent in the last 24 hours. */
export async function countPhoneCode(tx: Tx, perDay: number): Promise<PhoneCodeFate> {
  const hour = tx.now - (tx.now % HOUR_MS);
  // First, so that of two at once one waits for the other, and counts it.
  await addPhoneCodes(tx, { hour, sent: 1, withheld: 0 });
  const { sent = 0, withheld = 0 } =
    (await phoneCodesAfter(tx, { hour: tx.now - DAY_MS }))[0] ?? {};
  if (sent <= perDay) return "sent";
  await addPhoneCodes(tx, { hour, sent: -1, withheld: 1 });
  return withheld === 0 ? "withheld" : "told";
}
