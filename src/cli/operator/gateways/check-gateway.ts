// `gateways.check`: what a vendor says of the account, and whether its notices come in.

import type { Databases } from "#cli/operator/key-commands.ts";
import { textMember } from "#cli/operator/members.ts";
import { toIso } from "#kernel/time.ts";
import { findVendorTerms } from "#open-gateways.ts";
import { type CheckedLine, shownSecret } from "#payments/gateways/vendors.ts";
import { findNoticeRecord, type NoticeRecord } from "#payments/notices/lookups.ts";
import { noticePath } from "#payments/notices/mount-notices.ts";
import { settings } from "#platform/config/settings.ts";
import type { Mode } from "#platform/database/shop.ts";
import { SealBroken } from "#platform/vault/vault.ts";

import { type GatewayCommandTerms, getVendor, readMode } from "./gateway-acts.ts";

/** Asks the vendor, and changes nothing. */
export async function check(
  databases: Databases,
  terms: GatewayCommandTerms,
  input: unknown,
): Promise<{ readonly lines: readonly CheckedLine[] }> {
  const mode = readMode(input);
  const vendor = getVendor(terms.vendors, textMember(input, "gateway"));
  try {
    const database = databases[mode];
    const found = await findVendorTerms(vendor, { mode, database }, terms);
    if (found === null)
      return { lines: [{ ok: false, text: `There is no secret of ${mode} mode.` }] };
    const { address, secret } = found;
    const own = { ok: true, text: `${shownSecret(vendor, mode, secret)} at ${address}` };
    const told = (await vendor.check?.(found)) ?? [];
    const url = `${terms.config.publicUrl ?? settings.publicUrl.name}${noticePath(mode, vendor.id)}`;
    const record = await findNoticeRecord(database.read, vendor.id);
    return { lines: [own, ...told, noticesLine(record, { mode, url })] };
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return { lines: [{ ok: false, text: "The stored secret cannot be read: set it again." }] };
  }
}

/** A test shop that no vendor reaches works by polls, so that a missing notice is a fault in live mode alone. */
function noticesLine(
  { lastAt, paid, unnoticed }: NoticeRecord,
  { mode, url }: { readonly mode: Mode; readonly url: string },
): CheckedLine {
  const last = lastAt === null ? "none has come yet" : `the last one came at ${toIso(lastAt)}`;
  const isMissing = paid > 0 && unnoticed === paid;
  const polled = isMissing
    ? ` Polls found the last ${paid} payments that were paid: is the webhook set?`
    : "";
  return {
    ok: !isMissing || mode === "test",
    text: `Notices come to ${url}; ${last}.${polled}`,
  };
}
