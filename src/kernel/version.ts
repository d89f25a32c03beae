// Versions of a resource, and what a caller expects of one before changing it.

import { defineRefusal } from "./refusal.ts";

export const staleVersion = defineRefusal(
  "stale_version",
  "stale",
  "The resource has changed since you read it.",
);

/** The versions a caller will accept; null where any will do (RFC 9110, If-Match). */
export type ExpectedVersion = readonly number[] | null;

/** Refuses with `stale_version` unless the current version is among those expected. */
export function requireVersion(current: number, expected: ExpectedVersion): void {
  if (expected === null || expected.includes(current)) return;
  throw staleVersion({
    detail: `The current version is ${current}.`,
    members: { current_version: current },
  });
}
