// A person on the wire, with what they paid.

import Type, { type Static } from "typebox";

import { paymentSchema, presentPayment } from "#payments/payments/schema.ts";
import { component } from "#platform/http/contract/words.ts";

import type { ExportedPayer } from "./export-payer.ts";
import { personExportFields, presentPersonExport } from "./person-schema.ts";

export const payerExportSchema = component("CustomerExport", {
  ...personExportFields,
  payments: Type.Array(paymentSchema, { description: "Newest first." }),
});

/** Everything kept under the person's name, as one document. */
export function presentPayerExport(found: ExportedPayer): Static<typeof payerExportSchema> {
  return { ...presentPersonExport(found), payments: found.payments.map(presentPayment) };
}
