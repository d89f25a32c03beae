// Versions of resources for optimistic concurrency.

import { defineRefusal } from "./refusal.ts";

export const staleVersion = defineRefusal("stale_version", "stale", {
  title: "The resource has changed since you read it.",
  cause:
    "`If-Match` names another version than the current one (`current_version`): the resource was changed in between.",
  remedy: "Retrieve the resource, apply the change to it, and send its new `ETag`.",
  example: { detail: "The current version is 8.", members: { current_version: 8 } },
});

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
