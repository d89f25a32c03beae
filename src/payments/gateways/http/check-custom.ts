// Workflow: ask the adapter of a gateway of the shop's own what it is, and keep it.

import type { Place } from "#payments/gateways/adapter-url.ts";
import {
  gatewayCheckFailed,
  getAdapterTerms,
  saveDescription,
} from "#payments/gateways/custom-gateways.ts";
import type { ShownCustom } from "#payments/gateways/known-gateways.ts";
import type { Reader, Story } from "#platform/database/database.ts";
import { SealBroken } from "#platform/vault/vault.ts";

import type { AdapterTerms } from "./calls.ts";
import { describeAdapter, writtenDescription } from "./describe.ts";
import type { Description } from "./wire.ts";

export interface CheckedCustom {
  readonly gateway: ShownCustom;
  readonly description: Description;
}

/**
 * Afterwards the gateway takes what its adapter said, unless it is retired. Refuses with `gateway_not_found`, and with
 * `gateway_check_failed`, which leaves its former description, where the adapter gave none that counts.
 */
export async function checkCustom(
  read: Reader,
  { id, ...place }: Place & { readonly id: string },
  save: <T>(story: Story<T>) => Promise<T>,
): Promise<CheckedCustom> {
  const adapter = await termsToCheck(read, id, place);
  const described = await describeAdapter(adapter);
  if (described.kind === "refused") throw failed(described.said, described.pointer);
  const { description } = described;
  const { url } = adapter;
  const change = { id, url, described: writtenDescription(description) };
  const gateway = await save((tx) => saveDescription(tx, change));
  if (gateway === undefined) throw failed("Its URL was changed meanwhile.");
  return { gateway, description };
}

async function termsToCheck(read: Reader, id: string, place: Place): Promise<AdapterTerms> {
  try {
    const terms = await getAdapterTerms(read, id, place);
    if (terms !== null) return terms;
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
  }
  throw failed("The shop has no secret of it that it can read: rotate its secret.");
}

function failed(said: string, pointer: string | null = null) {
  return gatewayCheckFailed({ detail: said, members: { said, pointer } });
}
