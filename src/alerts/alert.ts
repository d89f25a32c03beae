// Alerts: which acts and events people of the shop are told of, and as what. Pure.

import { isObject } from "#kernel/assume.ts";
import { isId } from "#kernel/id.ts";
import { DAY_MS } from "#kernel/time.ts";
import { FAILED_SIGN_IN } from "#shop/audit/record-act.ts";
import type { ToldEntry } from "#shop/entries/list-entries.ts";
import { type AlertTopic, alertTopics } from "#shop/people/alert-rules.ts";

import type { ActKind, AlertKind, AlertRow } from "./tables.ts";

export type Alert = AlertRow;

/** The timers that send an alert: by email, and to a browser. */
export const SEND_TIMER = "alerts.send";
export const PUSH_TIMER = "alerts.push";
/** How long the button of an alert works, and how long Home shows one that no email told. */
export const DISOWN_MS = DAY_MS;
export const SHOWN_MS = 7 * DAY_MS;
/** Failures of a name in a day of which its owners are told. */
export const FAILURES_TOLD = 20;

/** Settings of the shop whose change is told. */
const watchedSettings: readonly string[] = ["refund_limit", "require_passkey"];

/** The choice of a person that the kind falls under. */
export function topicOf(kind: AlertKind): AlertTopic {
  return alertTopics.find((topic) => topic === kind) ?? "security";
}

/** The kind of an alert, and the subject that it would be about. */
export interface Told {
  readonly kind: ActKind;
  readonly subject: string;
}

type ReadAct = (entry: ToldEntry) => readonly Told[];

const about =
  (kind: ActKind): ReadAct =>
  ({ subject, actor }) => [{ kind, subject: subject ?? actor }];
/** One person who takes many files is one alert. */
const exported: ReadAct = ({ actor }) => [{ kind: "exported", subject: actor }];
const toHost: ReadAct = ({ after }) => {
  const { url } = valuesOf(after);
  return typeof url === "string" ? [{ kind: "webhook", subject: new URL(url).host }] : [];
};

/** Acts that change who may sign in, or by what. */
export const personActs = [
  "changeRole",
  "removePerson",
  "changePassword",
  "askForEmail",
  "changeEmail",
  "removeEmail",
  "addPasskey",
  "removePasskey",
] as const;

/** The acts that are told, by the name under which the audit log has them. */
const readActs: Readonly<Record<string, ReadAct>> = {
  signIn: (entry) => (valuesOf(entry.after)["known"] === false ? about("device")(entry) : []),
  takeLink: joined,
  [FAILED_SIGN_IN]: ({ subject }) => (subject === null ? [] : [{ kind: "failures", subject }]),
  createKey: about("key"),
  rotateKey: about("key"),
  "keys create": about("key"),
  "keys rotate": about("key"),
  ...Object.fromEntries(personActs.map((action) => [action, about("person")])),
  exportCustomer: exported,
  "export customers": exported,
  "export orders": exported,
  "export order-lines": exported,
  "export archive": exported,
  createWebhook: toHost,
  updateWebhook: toHost,
  updateStore: ({ changedFields }) =>
    watchedSettings
      .filter((name) => changedFields.includes(name))
      .map((subject) => ({ kind: "setting", subject })),
};

export const toldActions: readonly string[] = Object.keys(readActs);

/** The alerts that the entry calls for; most call for none. */
export function toldOf(entry: ToldEntry): readonly Told[] {
  return readActs[entry.action]?.(entry) ?? [];
}

/** Returns true if the settings that the entry tells of decide when the day's summary is due. */
export function movesSummary({ action, changedFields }: ToldEntry): boolean {
  return (
    action === "updateStore" &&
    ["summary_at", "timezone"].some((name) => changedFields.includes(name))
  );
}

/** A link let a person in: one who comes back signs in at a new device, one who is new is a person more. */
function joined(entry: ToldEntry): readonly Told[] {
  const { link } = valuesOf(entry.after);
  if (link === "recovery") return about("device")(entry);
  return link === "invitation" ? [{ kind: "person", subject: entry.actor }] : [];
}

/** The values that an entry keeps; none where it keeps none. */
export function valuesOf(text: string | null): Readonly<Record<string, unknown>> {
  const values: unknown = text === null ? null : JSON.parse(text);
  return isObject(values) ? values : {};
}

/** The person whom the act made an owner no more; null for every other act. */
export function loweredIn({ action, before, subject }: ToldEntry): string | null {
  return action === "changeRole" && valuesOf(before)["role"] === "owner" ? subject : null;
}

/** The person whose devices an alert is about: who did it, or whose name was tried; null for a program. */
export function personOf({ actor, subject, action }: ToldEntry) {
  if (isId("person", actor)) return actor;
  return action === FAILED_SIGN_IN && subject !== null && isId("person", subject) ? subject : null;
}
