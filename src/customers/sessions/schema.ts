// When a session of a customer began and ends, on the wire.

import { publicFields } from "#platform/http/audience/audience.ts";
import { at, shape } from "#platform/http/contract/wire.ts";

import type { SessionTimes } from "./lookups.ts";

export const sessionTimesShape = shape<SessionTimes>()(
  publicFields({ created_at: at, expires_at: at }),
  { name: "SessionTimes" },
);
