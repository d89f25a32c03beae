// Makes the gateways of the merchant's own from what is stored: loaded where a shop has some.

import { adapterTermsOf, listStoredCustom } from "#payments/gateways/custom-gateways.ts";
import type { Gateway } from "#payments/port/gateway.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { SealBroken } from "#platform/vault/vault.ts";

import { secretsOf } from "./calls.ts";
import { readDescription } from "./describe.ts";
import { openHttpGateway } from "./http-gateway.ts";

/** The gateways that can be called, their secrets, and those whose secret cannot be read. */
export interface OpenedCustom {
  readonly gateways: readonly Gateway[];
  readonly secrets: readonly string[];
  readonly unreadable: readonly { readonly gateway: string; readonly error: SealBroken }[];
}

/** Makes a gateway of each that its adapter has described. */
export async function openCustomGateways(
  db: Reader,
  mode: Mode,
  notifyUrlOf: (id: string) => string | null,
): Promise<OpenedCustom> {
  const gateways: Gateway[] = [];
  const secrets: string[] = [];
  const unreadable: OpenedCustom["unreadable"][number][] = [];
  for (const row of await listStoredCustom(db)) {
    try {
      const terms = adapterTermsOf(row, mode, db.vault);
      if (terms !== null) secrets.push(...secretsOf(terms));
      const description = readDescription(row.described, mode);
      if (terms === null || description === null) continue;
      const { id } = row;
      const standing = row.standing === "open" ? "open" : "retired";
      const notifyUrl = () => notifyUrlOf(id);
      gateways.push(openHttpGateway({ ...terms, id, standing, description, notifyUrl }));
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      unreadable.push({ gateway: row.id, error });
    }
  }
  return { gateways, secrets, unreadable };
}
