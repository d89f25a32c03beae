// The acts of the operator on gateways of the shop's own: add, check, rotate, retire, remove. The operator alone may name
// an adapter on this machine or in a private network. Invariant: a secret is answered once, when it is made.

import { type Databases, withFaultsInDetail } from "#cli/operator/key-commands.ts";
import { textMember } from "#cli/operator/members.ts";
import { Refusal } from "#kernel/refusal.ts";
import {
  gatewayCheckFailed,
  putCustom,
  removeCustom,
  retireCustom,
  rotateSecret,
  type SavedCustom,
} from "#payments/gateways/custom-gateways.ts";
import { checkCustom } from "#payments/gateways/http/check-custom.ts";
import type { Description } from "#payments/gateways/http/wire.ts";
import { listCustom } from "#payments/gateways/known-gateways.ts";
import {
  type CheckedLine,
  gatewayNeedsSetting,
  publicUrlFault,
} from "#payments/gateways/vendors.ts";
import { settings } from "#platform/config/settings.ts";
import type { Story, Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Commands } from "#platform/operator/serve-administration.ts";

import {
  changed,
  type GatewayChange,
  type GatewayCommandTerms,
  readMode,
  write,
} from "./gateway-acts.ts";

interface CustomAct {
  readonly id: string;
  readonly mode: Mode;
  readonly by: string | null;
}

/** The result of an act, with the secret where one was made. */
interface CustomChange extends GatewayChange {
  readonly secret: string | null;
}

/** The commands that only gateways of the shop's own have. */
export function customCommands(databases: Databases, terms: GatewayCommandTerms): Commands {
  return {
    "gateways.add": async (input, by = null) => {
      const act = { ...readAct(input), by };
      requirePublicUrl(act.mode, terms);
      const url = textMember(input, "url");
      const given = { ...act, url, standing: "open", by: "operator", expected: null } as const;
      const story = (tx: Tx) => putCustom(tx, given);
      return secretly(databases, terms, { ...act, action: "gateways add", story });
    },
    "gateways.rotate": async (input, by = null) => {
      const act = { ...readAct(input), by };
      const story = (tx: Tx) => rotateSecret(tx, act, null);
      return secretly(databases, terms, { ...act, action: "gateways rotate", story });
    },
    "gateways.retire": async (input, by = null) => {
      const { id, mode } = readAct(input);
      const act = { mode, action: "gateways retire", gateway: id, by };
      await write(databases, act, (tx) => retireCustom(tx, id));
      return changed(terms, id, mode);
    },
  };
}

function readAct(input: unknown): Pick<CustomAct, "id" | "mode"> {
  return { id: textMember(input, "gateway"), mode: readMode(input) };
}

/** Refuses with `gateway_needs_setting`: a live gateway sends customers back to the public URL. */
function requirePublicUrl(mode: Mode, { config }: GatewayCommandTerms): void {
  const fault = mode === "live" ? publicUrlFault(config.publicUrl) : null;
  if (fault !== null) throw gatewayNeedsSetting({ detail: `${settings.publicUrl.name} ${fault}.` });
}

interface SecretAct extends CustomAct {
  readonly action: string;
  readonly story: Story<SavedCustom>;
}

/** Runs the story, which may make a secret. */
async function secretly(
  databases: Databases,
  terms: GatewayCommandTerms,
  { id: gateway, mode, action, by, story }: SecretAct,
): Promise<CustomChange> {
  try {
    const { secret } = await write(databases, { mode, action, gateway, by }, story);
    return { secret, ...(await changed(terms, gateway, mode)) };
  } catch (error) {
    throw withFaultsInDetail(error);
  }
}

/** Removes a gateway at which no payment was begun. */
export async function removeOwn(
  databases: Databases,
  terms: GatewayCommandTerms,
  { id: gateway, mode, by }: CustomAct,
): Promise<GatewayChange> {
  await write(databases, { mode, action: "gateways remove", gateway, by }, (tx) =>
    removeCustom(tx, gateway, null),
  );
  return changed(terms, gateway, mode);
}

/** Asks the adapter what it is; from then on the gateway takes what it said. */
export async function checkOwn(
  databases: Databases,
  terms: GatewayCommandTerms,
  { id, mode, by }: CustomAct,
): Promise<readonly CheckedLine[]> {
  const place = { id, mode, testReach: terms.config.testReach };
  const act = { mode, action: "gateways check", gateway: id, by };
  try {
    const { gateway, description } = await checkCustom(databases[mode].read, place, (story) =>
      write(databases, act, story),
    );
    await changed(terms, id, mode);
    return [{ ok: true, text: `${description.label} at ${gateway.url}` }, takesLine(description)];
  } catch (error) {
    if (!(error instanceof Refusal) || error.definition !== gatewayCheckFailed) throw error;
    return [{ ok: false, text: error.message }];
  }
}

function takesLine({ takes }: Description): CheckedLine {
  const named = takes.map(({ method, currency }) => `${method} in ${currency}`);
  return { ok: true, text: `It takes ${[...new Set(named)].join(", ")}.` };
}

/** A line of `duka gateways list` for each gateway of the shop's own. */
export async function ownLines(databases: Databases, mode: Mode) {
  return (await listCustom(databases[mode].read)).map(({ id, url, standing, hasSecret }) => ({
    gateway: id,
    mode,
    secret: hasSecret ? "whsec_…" : "-",
    has_webhook_secret: false,
    source: url,
    state: standing === "open" ? ("in use" as const) : standing,
    set_at: null,
    set_by: null,
  }));
}
