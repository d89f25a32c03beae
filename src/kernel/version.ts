// Versions of resources for optimistic concurrency.

import { defineRefusal } from "./refusal.ts";

export const staleVersion = defineRefusal(
  "stale_version",
  "stale",
  "The resource has changed since you read it.",
);

/** The versions a caller accepts; null means any (RFC 9110, If-Match). */
export type ExpectedVersion = readonly number[] | null;

/** Refuses with `stale_version` unless the current version is among those expected. */
export function requireVersion(current: number, expected: ExpectedVersion): void {
  if (expected === null || expected.includes(current)) return;
  throw staleVersion({
    detail: `The current version is ${current}.`,
    members: { current_version: current },
  });
}
