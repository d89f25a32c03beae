// Story: a person chooses what they are told, and how.

import type { Tx } from "#platform/database/database.ts";

import type { AlertRulesGiven } from "./alert-rules.ts";
import type { Person } from "./person.ts";
import { setAlerts } from "./queries.ts";

/** Replaces the ways of what is given, and keeps the others. */
export async function setAlertRules(
  tx: Tx,
  { id, alerts }: Person,
  given: AlertRulesGiven,
): Promise<void> {
  await setAlerts(tx, { id, alerts: { ...alerts, ...given } });
}
