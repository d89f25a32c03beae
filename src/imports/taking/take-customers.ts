// Takes customers of a file. A customer goes through the schema of `POST /v2/customers`, so that a file has the faults
// that a request has.

import { customerExists } from "#customers/customer.ts";
import { type CustomerImport, importCustomer } from "#customers/import-customer.ts";
import { customerChangeSchema, customerWire, readCustomerChange } from "#customers/schema.ts";
import { assume, isObject } from "#kernel/assume.ts";
import type { Refusal } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { differenceOf, shownOf } from "#platform/http/contract/audit-terms.ts";
import { shapeCheck } from "#platform/http/contract/check-shape.ts";
import { restoreSought, textFinder } from "#platform/http/intake/texts.ts";
import { lazy } from "#platform/process/lazy.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { getStore } from "#shop/store/lookups.ts";

import {
  type DraftAnswer,
  type DraftFault,
  importDraft,
  readGiven,
  refusedDraft,
  type TakeTerms,
} from "./import-draft.ts";

/** Answers in the order of the customers, as `importedCustomers` gives them. A transaction each, which share commits. */
export async function takeCustomers(
  given: readonly unknown[],
  terms: TakeTerms,
): Promise<readonly DraftAnswer[]> {
  const { country } = await getStore(terms.database.read);
  return Promise.all(given.map((body) => take(body, country, terms)));
}

const intake = lazy(() => ({
  check: shapeCheck(customerChangeSchema),
  textsOf: textFinder(customerChangeSchema),
}));

/** Phones without a country code are of the country of the customer's address, else of the shop's. */
async function take(body: unknown, country: string | null, terms: TakeTerms): Promise<DraftAnswer> {
  const { check, textsOf } = intake();
  const own = countryIn(body);
  const texts = own === null ? [] : await readGiven(body, textsOf, own);
  const others = await readGiven(body, textsOf, country);
  const faults = check(body);
  if (faults.length > 0) return refusedDraft(faults);
  restoreSought([...texts, ...others]);
  // The cast holds: the check found no fault.
  const change = readCustomerChange(assume<Parameters<typeof readCustomerChange>[0]>(body));
  return importDraft(
    terms,
    async (tx) => {
      const result = await importCustomer(tx, { change, existing: terms.existing });
      await record(tx, result, terms);
      return { outcome: result.outcome, keys: keysOf(result) };
    },
    faultsOf,
  );
}

/** The country of the first address that has one; null without. */
function countryIn(body: unknown): string | null {
  const addresses: unknown = isObject(body) ? body["addresses"] : undefined;
  const countries = Array.isArray(addresses)
    ? addresses.map((address: unknown) => (isObject(address) ? address["country"] : undefined))
    : [];
  return countries.find((one): one is string => typeof one === "string") ?? null;
}

/** The contact alone tells a new customer who is only tried. */
function keysOf({ customer: { id, email, phone } }: CustomerImport): string[] {
  return [id, email, phone].filter((key) => key !== null);
}

async function record(
  tx: Tx,
  { outcome, before, customer }: CustomerImport,
  { recorded }: TakeTerms,
): Promise<void> {
  if (recorded === null || tx.isTrial === true) return;
  if (outcome !== "create" && outcome !== "update") return;
  const [then, now] = [before, customer].map((one) => one && shownOf(customerWire.present(one)));
  await recordAct(tx, {
    actorName: recorded.by,
    action: "import customers",
    subject: customer.id,
    difference: then && now ? differenceOf(then, now, undefined) : null,
  });
}

/** The places of a refusal in the body. */
function faultsOf({ definition, details, message }: Refusal): DraftFault[] {
  const { faults, members } = details;
  if (faults !== undefined) {
    return faults.map(({ pointer = "", code, detail }) => ({ pointer, code, detail }));
  }
  const isContact = definition === customerExists;
  const pointer = isContact ? `/${members?.field === "phone" ? "phone" : "email"}` : "";
  return [{ pointer, code: definition.code, detail: message }];
}
