// `gateways.connect`: a vendor sends its notices here, signed with a secret that is not copied by hand.

import type { Databases } from "#cli/operator/key-commands.ts";
import { textMember } from "#cli/operator/members.ts";
import { findVendorTerms, givenCredentials } from "#open-gateways.ts";
import { setAccount } from "#payments/accounts/set-account.ts";
import { secretFault, shownSecret } from "#payments/gateways/vendors.ts";
import { noticePath } from "#payments/notices/mount-notices.ts";
import { settings } from "#platform/config/settings.ts";

import {
  changed,
  type GatewayChange,
  type GatewayCommandTerms,
  gatewayNeedsSetting,
  gatewayNotConnected,
  gatewaySecretInvalid,
  getVendor,
  readMode,
  requireSettings,
  write,
} from "./gateway-acts.ts";

/**
 * Has the vendor send its notices here, and stores the secret that signs them; the former one holds until the next.
 * The secret that may do that is asked for, and not stored.
 */
export async function connect(
  databases: Databases,
  terms: GatewayCommandTerms,
  { input, by }: { readonly input: unknown; readonly by: string | null },
): Promise<{ readonly url: string } & GatewayChange> {
  const mode = readMode(input);
  const vendor = getVendor(terms.vendors, textMember(input, "gateway"));
  const { id: gateway } = vendor;
  const setup = textMember(input, "secret");
  const fault = secretFault(vendor, mode, setup);
  if (fault !== null) throw gatewaySecretInvalid({ detail: `The secret ${fault}.` });
  const { publicUrl } = terms.config;
  if (publicUrl === null) {
    const detail = `${settings.publicUrl.name} must be set: notices come to it.`;
    throw gatewayNeedsSetting({ detail });
  }
  requireSettings(vendor, mode, terms);
  const given = givenCredentials(vendor, mode, terms.config);
  if (given !== null) {
    throw gatewayNeedsSetting({
      detail: `${given.setting} is set and comes before what is stored.`,
    });
  }
  const database = databases[mode];
  const found = await findVendorTerms(vendor, { mode, database }, terms);
  if (found === null) {
    const detail = `Store the secret of the shop first: duka gateways set ${gateway} --mode ${mode}`;
    throw gatewayNotConnected({ detail });
  }
  const url = `${publicUrl}${noticePath(mode, gateway)}`;
  const connection = await vendor.connect?.({ ...found, secret: setup }, url);
  if (connection === undefined) {
    throw gatewayNotConnected({ detail: `${gateway} has no endpoints that can be set up.` });
  }
  if (connection.kind === "refused") throw gatewayNotConnected({ detail: connection.detail });
  const webhookSecrets = [connection.webhookSecret, ...found.webhookSecrets.slice(0, 1)];
  const { secret } = found;
  const display = shownSecret(vendor, mode, secret);
  await write(databases, { mode, action: "gateways connect", gateway, by }, (tx) =>
    setAccount(tx, { gateway, mode, secret, webhookSecrets, display, by }),
  );
  return { url, ...(await changed(terms, gateway, mode)) };
}
