// Which Duka this is.

import { readVersion } from "./read-version.ts" with { type: "macro" };

/** The version of this program. */
export const version: string = readVersion();
