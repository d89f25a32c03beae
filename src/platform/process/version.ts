// The version of this program, embedded when it is bundled.

import { readVersion } from "./bundled-texts.ts" with { type: "macro" };

/** The version of this program, such as 0.1.0. */
export const version: string = readVersion();
