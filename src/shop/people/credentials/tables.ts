// The means by which people sign in, and counts of guesses: passwords by their slow hash, passkeys by their public key,
// one-time links, known devices and challenges by the hash of their token.

import { defineKind } from "#kernel/id.ts";
import { index, int, sequence, text, time, uniqueIndex } from "#platform/database/kit.ts";
import { hidden, id, personal, plain, record } from "#platform/database/record.ts";
import type { Role } from "#shop/people/roles.ts";
import { people } from "#shop/people/tables.ts";

import type { LinkKind } from "./link-kinds.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    personLink: "lnk";
  }
}
defineKind("personLink", "lnk");

export const passwords = record(
  "person_passwords",
  {
    personId: id("person")
      .primaryKey()
      .references(() => people.id),
    hash: plain(text().notNull()),
    /** Sign-ins in a row that failed at unknown devices. */
    failures: int().notNull(),
    changedAt: time().notNull(),
  },
  () => [],
);

/** A link that was used or replaced has no row. */
export const links = record(
  "person_links",
  {
    id: id("personLink").primaryKey(),
    /** SHA-256 of the token: 256 random bits need no slow hash. */
    tokenHash: hidden(plain(text().notNull())),
    kind: text().$type<LinkKind>().notNull(),
    /** The role of the person to come; null for a recovery. */
    role: text().$type<Role>(),
    /** Whose sign-in the link recovers; null for a person to come. */
    personId: id("person").references(() => people.id),
    /** The owner who made it; null for the command line and for the shop itself. */
    madeBy: id("person").references(() => people.id),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
  },
  (row) => [
    uniqueIndex("person_links_token_unique").on(row.tokenHash),
    index("person_links_person_index").on(row.personId),
    index("person_links_maker_index").on(row.madeBy),
  ],
);

/** Emails that people asked for and have not confirmed, one of a person. */
export const emailLinks = record(
  "person_email_links",
  {
    personId: id("person")
      .primaryKey()
      .references(() => people.id),
    email: personal(text().notNull(), () => ""),
    /** SHA-256 of the token: 256 random bits need no slow hash. */
    tokenHash: hidden(plain(text().notNull())),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
  },
  () => [],
);

/** Devices at which a person has signed in. */
export const knownDevices = record(
  "known_devices",
  {
    tokenHash: plain(text().primaryKey()),
    personId: id("person")
      .notNull()
      .references(() => people.id),
    createdAt: time().notNull(),
    seenAt: time().notNull(),
  },
  (row) => [index("known_devices_person_index").on(row.personId)],
);

/** Failed guesses of late, by whom they are about or from where they came. */
export const guesses = record(
  "sign_in_guesses",
  {
    /** SHA-256 of a name, an address block, a device or a session: a password may be typed as a name. */
    key: plain(text().primaryKey()),
    failures: int().notNull(),
    lastAt: time().notNull(),
  },
  (row) => [index("sign_in_guesses_last_index").on(row.lastAt)],
);

/** Passkeys: an authenticator keeps the private key of each, and opens it for its person alone. */
export const passkeys = record(
  "person_passkeys",
  {
    /** The id that the authenticator gave, in base64url. */
    id: plain(text().primaryKey()),
    personId: id("person")
      .notNull()
      .references(() => people.id),
    /** A COSE key, in base64url. */
    publicKey: plain(text().notNull()),
    /** The uses that the authenticator counted at the last one, 32 bits without a sign; 0 where it counts none. */
    signCount: sequence().notNull(),
    name: plain(text().notNull()),
    createdAt: time().notNull(),
    usedAt: time(),
  },
  (row) => [index("person_passkeys_person_index").on(row.personId)],
);

/** The act that an authenticator signs for: adding a passkey, signing in, or confirming in a session. */
export type ChallengePurpose = "register" | "enter" | "confirm";

/** Challenges that an authenticator may sign, once. */
export const challenges = record(
  "passkey_challenges",
  {
    /** SHA-256 of the challenge: 256 random bits need no slow hash. */
    hash: plain(text().primaryKey()),
    purpose: text().$type<ChallengePurpose>().notNull(),
    /** Who adds a passkey or confirms with one; null for who is about to sign in. */
    personId: id("person").references(() => people.id),
    expiresAt: time().notNull(),
  },
  (row) => [
    index("passkey_challenges_expires_index").on(row.expiresAt),
    index("passkey_challenges_person_index").on(row.personId),
  ],
);
