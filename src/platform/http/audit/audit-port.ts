// The port of the HTTP layer to the audit log.

import type { RecordAct } from "#platform/event-log/act.ts";

export interface AuditPort {
  readonly record: RecordAct;
  /** The network of a request's client as the log keeps it; null if it is not known. */
  readonly networkOf: (request: Request) => string | null;
}
