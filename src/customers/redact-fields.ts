// Redacts a customer in payloads and stored answers. Invariant: what is left still matches its schema, so
// that a replayed answer stays valid.

import { isObject } from "#kernel/assume.ts";
import { type Id, zeroId } from "#kernel/id.ts";
import { type RedactField, withoutPersonal } from "#platform/event-log/redaction.ts";

import { customers } from "./tables.ts";

/** Fields that products, line items or orders have as well: they are redacted in the customer's own object alone. */
const ofOthersToo: ReadonlySet<string> = new Set(["name", "tags", "tax_exemption"]);

const redact = withoutPersonal(customers);

/** Redacts the fields of a customer in a payload or stored answer that refers to it. */
export function withoutCustomer(id: Id<"customer">): RedactField {
  return (field, value, holder) =>
    ofOthersToo.has(field) && !isRecordOf(holder, id) ? value : redact(field, value, holder);
}

/** Zeros stand for the id where a publishable key was answered. */
function isRecordOf(holder: unknown, id: Id<"customer">): boolean {
  const ids: readonly unknown[] = [id, zeroId("customer")];
  return isObject(holder) && ids.includes(holder["id"]);
}
