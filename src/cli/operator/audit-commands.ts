// The command of the administrative socket for the audit log. Input is validated here, since it may come from
// the command line of another version.

import { firstIdAt } from "#kernel/id.ts";
import type { Database } from "#platform/database/database.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import type { Commands } from "#platform/operator/serve-administration.ts";
import { listEntries } from "#shop/entries/list-entries.ts";
import { auditEntryWire } from "#shop/entries/schema.ts";

import { numberMember, numberOrNull, textMember, textOrNull } from "./members.ts";

/** The input of `audit.list`. */
export interface ListAuditInput {
  readonly mode: Mode;
  readonly actor: string | null;
  readonly subject: string | null;
  readonly action: string | null;
  /** Epoch milliseconds, from the first up to, but without, the second. */
  readonly from: number | null;
  readonly below: number | null;
  readonly limit: number;
}

/** Answers the newest entries as `GET /v2/audit` does. */
export function auditCommands(databases: Readonly<Record<Mode, Database>>): Commands {
  return {
    "audit.list": async (input) => {
      const mode = modes.find((known) => known === textMember(input, "mode")) ?? "live";
      const from = numberOrNull(input, "from");
      const below = numberOrNull(input, "below");
      const filters = {
        actor: textOrNull(input, "actor") ?? undefined,
        subject: textOrNull(input, "subject") ?? undefined,
        action: textOrNull(input, "action") ?? undefined,
        from: from === null ? undefined : firstIdAt("audit", from),
        below: below === null ? undefined : firstIdAt("audit", below),
      };
      const page = { limit: numberMember(input, "limit"), after: null };
      const { rows } = await listEntries(databases[mode].read, filters, page);
      return rows.map((entry) => auditEntryWire.present(entry));
    },
  };
}
