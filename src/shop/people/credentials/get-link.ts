// Lookup: what a one-time link is for, without using it up: messengers open the links that they carry.

import type { Reader } from "#platform/database/database.ts";
import { getPerson } from "#shop/people/lookups.ts";
import type { Person } from "#shop/people/person.ts";

import { linkEnded, type PersonLink } from "./link.ts";
import { findLinkByHash } from "./queries.ts";
import { hashOfToken } from "./token.ts";

/** A link, with the person whose sign-in it recovers; null for a person to come. */
export interface OpenLink {
  readonly link: PersonLink;
  readonly person: Person | null;
}

/** Refuses with `link_ended` for a link that is unknown, used or expired at `now`. */
export async function getLink(db: Reader, token: string, now: number): Promise<OpenLink> {
  const link = await findLinkByHash(db, hashOfToken(token), now);
  if (link === undefined) throw linkEnded();
  return { link, person: link.personId === null ? null : await getPerson(db, link.personId) };
}
