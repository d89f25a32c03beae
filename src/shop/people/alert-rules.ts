// Rules: the things that a person is told of, and by which ways, as they chose or as their role has it.

import type { Role } from "./roles.ts";

/** The things that people are told of, in the order in which pages list it. */
export const alertTopics = ["order", "review", "low_stock", "summary", "security"] as const;
export type AlertTopic = (typeof alertTopics)[number];

/** A message to the browsers that the person subscribed, or to their email. */
export const alertChannels = ["push", "email"] as const;
export type AlertChannel = (typeof alertChannels)[number];

/** The ways by which a person is told of each. */
export type AlertRules = Readonly<Record<AlertTopic, readonly AlertChannel[]>>;
/** The person's choices. */
export type AlertRulesGiven = Partial<AlertRules>;

const nothing: AlertRules = { order: [], review: [], low_stock: [], summary: [], security: [] };

const byRole: Readonly<Record<Role, AlertRules>> = {
  owner: {
    order: ["push", "email"],
    review: ["push", "email"],
    low_stock: [],
    summary: ["email"],
    security: ["email"],
  },
  staff: { ...nothing, order: ["push"] },
  viewer: nothing,
};

/** The things that a person of the role can be told of: the safety of the shop is the owners' concern. */
export function topicsOf(role: Role): readonly AlertTopic[] {
  return role === "owner" ? alertTopics : alertTopics.filter((topic) => topic !== "security");
}

/** The ways by which the person is told of each. */
export function alertRulesOf({
  role,
  alerts,
}: {
  readonly role: Role;
  readonly alerts: AlertRulesGiven;
}): AlertRules {
  const all = { ...byRole[role], ...alerts };
  return topicsOf(role).includes("security") ? all : { ...all, security: [] };
}
