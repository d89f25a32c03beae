// The button of an alert, "This was not me": it ends the sessions of the person, and their devices are known no longer.
// Invariant: a link is signed by the secret of its shop, and works for a day.

import { type Id, isId } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { readToken, signToken } from "#sales/links/link-token.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { addressForPeople } from "#shop/people/credentials/link.ts";
import { forgetDevices } from "#shop/people/sessions/open-session.ts";

import { type Alert, DISOWN_MS } from "./alert.ts";
import { type AlertFacts, readFacts } from "./facts.ts";
import { alertEnded, alertRows } from "./queries.ts";

interface LinkPlace {
  readonly secret: string;
  readonly mode: Mode;
  readonly dashboardUrl: string;
}

/** The address of the page with the button. */
export function addressOfAlert(
  { id, createdAt }: Pick<Alert, "id" | "createdAt">,
  { secret, mode, dashboardUrl }: LinkPlace,
): string {
  const token = signToken(
    { purpose: "alert link", subject: id, until: createdAt + DISOWN_MS },
    secret,
  );
  return addressForPeople(
    dashboardUrl,
    `/dashboard/${mode === "test" ? "test/" : ""}alert/${token}`,
  );
}

/** The facts of the alert that the link is about. Refuses with `alert_ended` what was not signed, is over, or is about no person. */
export async function readAlertLink(
  dbs: { readonly db: Reader; readonly people: Reader },
  { token, now }: { readonly token: string; readonly now: number },
): Promise<AlertFacts & { readonly person: NonNullable<AlertFacts["person"]> }> {
  const { secret } = await getLinkTerms(dbs.db);
  const alert = await alertRows.find(dbs.db, idIn({ token, now, secret }));
  const facts = alert === undefined ? null : await readFacts(dbs, alert);
  if (facts === null || facts.person === null) throw alertEnded();
  return { ...facts, person: facts.person };
}

function idIn(reading: {
  readonly token: string;
  readonly now: number;
  readonly secret: string;
}): Id<"alert"> {
  const { token, now, secret } = reading;
  const { subject } = readToken(token, { purposes: ["alert link"], secret, now });
  if (!isId("alert", subject)) throw alertEnded();
  return subject;
}

/** Afterwards the person is signed in nowhere, and no device of theirs is known. Who pressed the button is not known. */
export async function disown(
  tx: Tx,
  personId: Id<"person">,
  clientNetwork: string | null,
): Promise<void> {
  await forgetDevices(tx, personId);
  await recordAct(tx, {
    actorName: null,
    action: "disownSessions",
    subject: personId,
    clientNetwork,
  });
}
