// The vendors of gateways: what their secrets look like, where their APIs are, and how a gateway is made of one.
// Invariant: no fault repeats a secret, and no live secret goes anywhere but to its vendor.

import { defineRefusal } from "#kernel/refusal.ts";
import type { Clock } from "#kernel/time.ts";
import type { Gateway } from "#payments/port/gateway.ts";
import type { Mode } from "#platform/database/shop.ts";
import { isLoopbackHost, onlyPublic, targetFaults } from "#platform/net/target-url.ts";

import type { FormerSecret } from "./accounts.ts";
import { fieldsFault, readFields, type VendorField } from "./vendor-fields.ts";

/** The terms of which a gateway of a vendor is made. */
export interface VendorTerms {
  readonly mode: Mode;
  /** The machine's: the clock of a test shop may be days ahead of the vendor's. */
  readonly clock: Clock;
  /** The JSON of the fields, where the vendor has some. */
  readonly secret: string;
  /** The secrets that sign notices, the newest first; empty for a vendor that has none of its own. */
  readonly webhookSecrets: readonly string[];
  /** The former secret with which a vendor without secrets for notices signed them. */
  readonly former?: FormerSecret | undefined;
  /** The URL of its API, without a final slash; with a live secret always the vendor's own. */
  readonly address: string;
  /** Called with the distance of the vendor's clock from this machine's, milliseconds, as its answers tell it. */
  readonly onSkew?: ((skewMs: number) => void) | undefined;
}

/** The answer of a vendor to one question about its account. */
export interface CheckedLine {
  readonly ok: boolean;
  /** For the operator; never contains a secret. */
  readonly text: string;
}

/** The result of setting up the notices. */
export type Connection =
  | { readonly kind: "connected"; readonly webhookSecret: string }
  /** Why not, for the operator; never contains a secret. */
  | { readonly kind: "refused"; readonly detail: string };

export interface Vendor {
  /** The id of its gateway. */
  readonly id: string;
  /** How a secret of the mode begins; empty for a vendor with fields. */
  readonly prefixes: Readonly<Record<Mode, readonly string[]>>;
  /** The parts of its secret, the most telling of those that may be shown first; null for one text. */
  readonly fields: readonly VendorField[] | null;
  /** How the secrets begin that sign its notices; null if its secret signs them. */
  readonly webhookPrefix: string | null;
  /** The URL of its API in each mode, without a final slash. */
  readonly addresses: Readonly<Record<Mode, string>>;
  readonly construct: (terms: VendorTerms) => Gateway;
  /** Asks the vendor about the account, for the operator; changes nothing. */
  readonly check?: (terms: VendorTerms) => Promise<readonly CheckedLine[]>;
  /**
   * Has the vendor send its notices to the URL. The secret of the terms may be another one than the shop's: it needs
   * more rights, once.
   */
  readonly connect?: (terms: VendorTerms, url: string) => Promise<Connection>;
}

/** A secret that signs, and the former one until the vendor has ended it. */
const WEBHOOK_SECRETS_MAX = 2;
/** So many characters behind the prefix hide the others when the last ones are shown. */
const HIDING_LENGTH = 12;
const SHOWN_LENGTH = 4;

/** Why the text is no secret of the vendor in this mode, written to follow a name; null if it may be one. */
export function secretFault(
  { prefixes, fields }: Vendor,
  mode: Mode,
  secret: string,
): string | null {
  if (fields !== null) return fieldsFault(fields, mode, secret);
  const fault = formFault(secret, prefixes[mode]);
  const other = mode === "live" ? "test" : "live";
  return fault !== null && formFault(secret, prefixes[other]) === null
    ? `is a secret of ${other} mode`
    : fault;
}

/** The secrets that sign notices, out of a text with one, or with the former one behind a comma. */
export function splitWebhookSecrets(text: string): string[] {
  return text.split(",").map((one) => one.trim());
}

/** Why these cannot sign the vendor's notices, written to follow a name; null if they may. */
export function webhookSecretsFault(
  { webhookPrefix, fields }: Vendor,
  given: readonly string[],
): string | null {
  if (given.length === 0) return null;
  if (fields !== null) return "is not needed: the vendor signs no notices";
  if (webhookPrefix === null) return "is not needed: the vendor signs notices with its secret";
  if (given.length > WEBHOOK_SECRETS_MAX) return `has more than ${WEBHOOK_SECRETS_MAX} secrets`;
  return (
    given.map((one) => formFault(one, [webhookPrefix])).find((fault) => fault !== null) ?? null
  );
}

function formFault(secret: string, prefixes: readonly string[]): string | null {
  if (/\s/.test(secret)) return "contains white space";
  if (!/^\w+$/.test(secret)) return "has other characters than letters, digits and _";
  const prefix = prefixOf(secret, prefixes);
  return prefix === undefined ? `must begin with ${prefixes.join(" or ")}` : null;
}

/** The prefix of a secret that has more than it. */
function prefixOf(secret: string, prefixes: readonly string[]): string | undefined {
  return prefixes.find((prefix) => secret.startsWith(prefix) && secret.length > prefix.length);
}

/** True of a vendor that signs notices with its secret: the former one is taken for a while. */
export function signsWithSecret({ webhookPrefix, fields }: Vendor): boolean {
  return webhookPrefix === null && fields === null;
}

/** The secret, and each secret part of it: no log shows them. */
export function secretTexts({ fields }: Vendor, secret: string): string[] {
  if (fields === null) return [secret];
  const values = readFields(fields, secret);
  return [secret, ...fields.flatMap(({ name, isSecret }) => (isSecret && values[name]) || [])];
}

/**
 * The secret as it may be shown, such as `sk_live_…1234`: its kind, and by what people tell it from another. Of fields the
 * first that is no secret.
 */
export function shownSecret({ prefixes, fields }: Vendor, mode: Mode, secret: string): string {
  if (fields !== null) {
    const open = fields.find(({ isSecret }) => !isSecret);
    return (open && readFields(fields, secret)[open.name]) ?? "…";
  }
  const prefix = prefixOf(secret, prefixes[mode]) ?? "";
  const isLong = secret.length - prefix.length >= HIDING_LENGTH;
  return `${prefix}…${isLong ? secret.slice(-SHOWN_LENGTH) : ""}`;
}

/**
 * Why the vendor cannot be called at another address than its own, written to follow a name; null if it can. `modes` are
 * those in which it has a secret: a live one would be told to what answers there.
 */
export function addressFault(
  { addresses: { live } }: Vendor,
  url: string | null,
  modes: readonly Mode[],
): string | null {
  if (url === null || url === live) return null;
  if (modes.includes("live")) return `must be ${live}, because there is a live secret`;
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:" || isLoopbackHost(hostname)) return null;
  return "must begin with https://, except for this machine";
}

/** The address at which the vendor is called: the one that the operator set in test mode, in live mode at its own. */
export function vendorAddressOf({ addresses }: Vendor, mode: Mode, url: string | null): string {
  return mode === "live" ? addresses.live : (url ?? addresses.test);
}

export const gatewayNeedsSetting = defineRefusal("gateway_needs_setting", "conflict", {
  title: "The settings of the server do not allow this gateway.",
  cause:
    "A live gateway sends customers back to the public URL of the server, and that is no public https URL.",
  remedy: "Set DUKA_PUBLIC_URL to the https URL at which customers reach the shop.",
});

const HTTPS_PORT = 443;

/** Why a live gateway cannot work with the server's public URL, written to follow its name; null if it can. */
export function publicUrlFault(publicUrl: string | null): string | null {
  const rules = { reach: onlyPublic, ports: [HTTPS_PORT], ownHost: null };
  if (publicUrl !== null && targetFaults(publicUrl, rules).length === 0) return null;
  return "must be a public https:// URL for a live gateway, which sends customers back to it";
}
