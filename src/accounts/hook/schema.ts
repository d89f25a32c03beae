// The message hook on the wire. Only an answer that makes a secret has it.

import Type, { type Static } from "typebox";

import { at, orNull, wire } from "#platform/http/contract/wire.ts";
import {
  line,
  nullable,
  object,
  optional,
  verbatim,
  whole,
} from "#platform/http/contract/words.ts";

import type { HookWithSecret, MessageHook } from "./hook.ts";
import type { HookChange } from "./set-hook.ts";

const url = line(2_048, {
  ...verbatim,
  description:
    "An https URL on port 443 or 8443 of a public host. In test mode also an http URL, and any port of the machine that runs Duka.",
});
const takesEmails = Type.Boolean({
  description: "Whether codes to emails leave by the hook, too, in place of the mail server.",
});

const fields = {
  url,
  takes_emails: takesEmails,
  old_secret_expires_at: orNull(at),
  version: whole(1),
  created_at: at,
  updated_at: at,
};

export const hookWire = wire<MessageHook>()("MessageHook", fields);

export const hookWithSecretWire = wire<HookWithSecret>()("MessageHookWithSecret", {
  ...fields,
  secret: nullable(
    Type.String({
      description: "Signs messages. Null where it was shown before: it cannot be retrieved later.",
    }),
  ),
});

export const hookChangeSchema = object({ url, takes_emails: optional(takesEmails) });

/** Reads the hook from a request body. */
export function readHookChange(body: Static<typeof hookChangeSchema>): HookChange {
  return { url: body.url, takesEmails: body.takes_emails };
}
