// One-time links: they let in the first owner, people who are invited, and people who lost their password.

import { defineRefusal } from "#kernel/refusal.ts";
import type { RowOf } from "#platform/database/record.ts";
import { isLoopback } from "#platform/net/addresses.ts";

import type { links } from "./tables.ts";

/** A link without its token. */
export type PersonLink = RowOf<typeof links>;

/** The address of a link's page at this server, such as `http://localhost:4000/dashboard/door/…`. */
export function addressOfLink(
  serverUrl: string,
  token: string,
  page: "door" | "sandbox" = "door",
): string {
  return addressForPeople(serverUrl, `/dashboard/${page}/${token}`);
}

/**
 * The address of a page of the dashboard where its people have their sessions. A loopback address is named
 * `localhost`, because passkeys belong to a name.
 */
export function addressForPeople(serverUrl: string, path: string): string {
  const url = new URL(path, serverUrl);
  const host = url.hostname.replaceAll(/[[\]]/g, "");
  if (host === "0.0.0.0" || host === "::" || isLoopback(host)) url.hostname = "localhost";
  return url.href;
}

export const ownerExists = defineRefusal(
  "owner_exists",
  "conflict",
  "The shop has an owner, who invites others.",
);

/** One refusal, so that a guess learns nothing: the link is unknown, was used, has expired or was replaced. */
export const linkEnded = defineRefusal(
  "link_ended",
  "not_found",
  "This link is not valid any more: it was used, has expired, or was replaced.",
);
