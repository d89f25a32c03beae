// Makes the gateways of the merchant's own from what is stored: loaded where a shop has some.

import type { Place } from "#payments/gateways/adapter-url.ts";
import { Surprise } from "#payments/gateways/answers/fields.ts";
import { adapterTermsOf, listStoredCustom } from "#payments/gateways/custom-gateways.ts";
import type { Gateway } from "#payments/port/gateway.ts";
import type { Reader } from "#platform/database/database.ts";
import { SealBroken } from "#platform/vault/vault.ts";

import { secretsOf } from "./calls.ts";
import { readDescription } from "./describe.ts";
import { openHttpGateway } from "./http-gateway.ts";

/** A gateway of which something that is stored cannot be read, and what makes it anew. */
interface UnreadableGateway {
  readonly gateway: string;
  readonly error: SealBroken | Surprise;
  readonly remedy: "add it again" | "check it again";
}

/** The gateways that can be called, their secrets, and those that cannot be read. */
export interface OpenedCustom {
  readonly gateways: readonly Gateway[];
  readonly secrets: readonly string[];
  readonly unreadable: readonly UnreadableGateway[];
}

/** Makes a gateway of each that its adapter has described. */
export async function openCustomGateways(
  db: Reader,
  place: Place,
  notifyUrlOf: (id: string) => string | null,
): Promise<OpenedCustom> {
  const gateways: Gateway[] = [];
  const secrets: string[] = [];
  const unreadable: UnreadableGateway[] = [];
  for (const row of await listStoredCustom(db)) {
    try {
      const terms = adapterTermsOf(row, place, db.vault);
      if (terms !== null) secrets.push(...secretsOf(terms));
      const { id, described } = row;
      if (terms === null || described === null) continue;
      const description = readDescription(described, place.mode);
      const standing = row.standing === "open" ? "open" : "retired";
      const notifyUrl = () => notifyUrlOf(id);
      gateways.push(openHttpGateway({ ...terms, id, standing, description, notifyUrl }));
    } catch (error) {
      const gateway = row.id;
      if (error instanceof SealBroken) unreadable.push({ gateway, error, remedy: "add it again" });
      else if (error instanceof Surprise)
        unreadable.push({ gateway, error, remedy: "check it again" });
      else throw error;
    }
  }
  return { gateways, secrets, unreadable };
}
