// The licenses of everything in this program, embedded when it is bundled. About 150 KB: loaded by
// the one command that prints them.

import { readLicenses } from "./bundled-texts.ts" with { type: "macro" };

/** Names, versions and license texts, for people. */
export const licenses: string = readLicenses();
