// Story: a person chooses what they are told, and how.

import type { Tx } from "#platform/database/database.ts";
import { recordAct } from "#shop/audit/record-act.ts";

import type { AlertRulesGiven } from "./alert-rules.ts";
import type { Person } from "./person.ts";
import { setAlerts } from "./queries.ts";

/** Replaces the ways of what is given, and keeps the others. */
export async function setAlertRules(
  tx: Tx,
  { id, name, alerts: before }: Person,
  given: AlertRulesGiven,
): Promise<void> {
  const alerts = { ...before, ...given };
  await setAlerts(tx, { id, alerts });
  await recordAct(tx, {
    actorName: name,
    action: "chooseAlerts",
    subject: id,
    difference: { fields: ["alerts"], before: { alerts: before }, after: { alerts } },
  });
}
