// Sessions of customers, and what a customer who is signed in reads and changes, on the wire.

import Type, { type Static } from "typebox";

import { type Customer, foldEmail, hasProved } from "#customers/customer.ts";
import { addressesGiven, addressesWire, readAddress } from "#customers/schema.ts";
import type { CodeContact } from "#customers/sessions/code.ts";
import type { OpenedSession } from "#customers/sessions/end-sessions.ts";
import type { GivenCode } from "#customers/sessions/issue-code.ts";
import { sessionTimesShape } from "#customers/sessions/schema.ts";
import type { ExpectedVersion } from "#kernel/change.ts";
import { Faults } from "#kernel/refusal.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { at, from, list, orNull, wire } from "#platform/http/contract/wire.ts";
import {
  email,
  emailGiven,
  idOf,
  line,
  matching,
  nullable,
  object,
  optional,
  phone,
  phoneGiven,
  verbatim,
  whole,
} from "#platform/http/contract/words.ts";

import type { ExportedMe } from "./export-me.ts";
import { ownOrderWire } from "./own-order.ts";
import type { RequestedCode } from "./request-code.ts";
import type { MyChange } from "./update-me.ts";

/** None where the session has proved no contact: others may have written them for the owner of one. */
function ownAddresses(customer: Customer): Customer["addresses"] {
  return hasProved(customer) ? customer.addresses : [];
}

/** The customer as they read themselves, with a key of either kind. */
export const meWire = wire<Customer>()(
  "Me",
  publicFields({
    id: idOf("customer"),
    email: nullable(email),
    email_verified_at: orNull(at),
    phone: nullable(phone),
    phone_verified_at: orNull(at),
    name: nullable(line(200)),
    first_name: nullable(line(100)),
    last_name: nullable(line(100)),
    addresses: from(ownAddresses, addressesWire),
    marketing_consent: Type.Boolean(),
    version: whole(1),
    created_at: at,
    updated_at: at,
  }),
);

export const requestedCodeWire = wire<RequestedCode>()(
  "SignInCode",
  publicFields({
    expires_at: at,
    challenge: Type.String({
      description:
        "Names the code for the browser that asked: sent with it, as `challenge`. It cannot be retrieved later.",
    }),
    digits: Type.Integer({ description: "The digits of the code: 6, 8 or 12." }),
  }),
);

export const openedSessionWire = wire<OpenedSession>()(
  "CustomerSession",
  publicFields({
    token: Type.String({
      description: "Sent as `Customer-Token`. It cannot be retrieved later.",
    }),
    expires_at: at,
    customer: meWire,
  }),
);

export const exportedMeWire = wire<ExportedMe>()(
  "MyExport",
  publicFields({
    customer: meWire,
    orders: list(ownOrderWire, { description: "Newest first." }),
    sessions: list(sessionTimesShape, { description: "Oldest first." }),
    exported_at: at,
  }),
);

const contact = publicFields({ email: optional(emailGiven), phone: optional(phoneGiven) });
const code = Type.String({
  ...matching(
    "^[0-9]{6,12}$",
    "This is not a code: six to twelve digits, which may have spaces between them.",
  ),
  maxLength: 20,
  "x-text": "code",
  description: "Six to twelve digits. Spaces are left out.",
});
const challenge = Type.String({
  ...verbatim,
  ...matching("^csc_[0-9A-Za-z]{22}$", "This is not the `challenge` of an answer."),
  maxLength: 26,
  description:
    "The `challenge` of the answer with which the code was sent. Without it, the newest code of the contact counts.",
});

export const codeRequestSchema = object(contact);

export const sessionRequestSchema = object({
  ...contact,
  ...publicFields({ code: optional(code), challenge: optional(challenge) }),
  customer_id: optional(idOf("customer")),
});

export const myChangeSchema = object(
  publicFields({
    name: optional(nullable(line(200))),
    first_name: optional(nullable(line(100))),
    last_name: optional(nullable(line(100))),
    addresses: optional(addressesGiven),
    marketing_consent: optional(Type.Boolean()),
    email: optional(emailGiven),
    phone: optional(phoneGiven),
    code: optional({ ...code, description: "The code that was sent to another email or phone." }),
    challenge: optional(challenge),
  }),
);

interface GivenContact {
  readonly email?: string;
  readonly phone?: string;
}

/** The one contact of a body; null without any. Refuses two. */
function contactIn(given: GivenContact): CodeContact | null {
  if (given.email !== undefined && given.phone !== undefined) {
    const faults = new Faults();
    faults.add("/phone", "conflicting_fields", "Give either the email or the phone.");
    faults.refuseIfAny();
  }
  if (given.email !== undefined) return { kind: "email", value: foldEmail(given.email) };
  return given.phone === undefined ? null : { kind: "phone", value: given.phone };
}

/** The contact that a code is for. Refuses none and two. */
export function readCodeContact(given: GivenContact): CodeContact {
  const found = contactIn(given);
  if (found !== null) return found;
  const faults = new Faults();
  faults.add("/email", "required", "Give an email or a phone.");
  faults.add("/phone", "required", "Give an email or a phone.");
  faults.refuseIfAny();
  throw new Error("A body without a contact was not refused.");
}

/** How a session is asked for: by a code, or by the shop. */
export type SessionRequest =
  | { readonly by: "code"; readonly contact: CodeContact; readonly given: GivenCode }
  | {
      readonly by: "shop";
      readonly customerId: NonNullable<Static<typeof sessionRequestSchema>["customer_id"]>;
      /** The contact that the login of the shop has proved. */
      readonly contact: CodeContact | null;
    };

/** Reads how a session is asked for. */
export function readSessionRequest(body: Static<typeof sessionRequestSchema>): SessionRequest {
  const { customer_id: customerId, code: given, challenge: named } = body;
  const faults = new Faults();
  if (customerId !== undefined) {
    if (given !== undefined) {
      faults.add("/code", "conflicting_fields", "Give either customer_id or a code.");
    }
    if (named !== undefined) {
      faults.add("/challenge", "conflicting_fields", "Give either customer_id or a challenge.");
    }
    faults.refuseIfAny();
    return { by: "shop", customerId, contact: contactIn(body) };
  }
  if (given === undefined) faults.add("/code", "required", "Give the code that was sent.");
  faults.refuseIfAny();
  return {
    by: "code",
    contact: readCodeContact(body),
    given: { code: given ?? "", challenge: named },
  };
}

/** Reads what a customer changes of themselves. */
export function readMyChange(
  body: Static<typeof myChangeSchema>,
  expected: ExpectedVersion,
): MyChange {
  const change = {
    name: body.name,
    firstName: body.first_name,
    lastName: body.last_name,
    addresses: body.addresses?.map(readAddress),
    marketingConsent: body.marketing_consent,
  };
  return { change, contact: contactIn(body), code: body.code, challenge: body.challenge, expected };
}
