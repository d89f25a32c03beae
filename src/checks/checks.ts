// The list of all checks: what is missing in this program stands here, and nowhere else. Rows are read in its order,
// area by area.

import { publicUrl, serving, testMode } from "./address-checks.ts";
import type { Check, Place, Served, Stored } from "./check.ts";
import { mail, webhooks } from "./connection-checks.ts";
import { diskSpace, openFiles } from "./machine-checks.ts";
import { backup, files, secretKey } from "./safety-checks.ts";
import { shopChecks } from "./shop-checks.ts";

/** Those that need neither a server nor a shop. */
export const checksOfPlace: readonly Check<Place>[] = [serving, testMode, diskSpace, files, mail];

/** Those that need no server. */
export const checksOfShop: readonly Check<Stored>[] = [
  serving,
  publicUrl,
  testMode,
  diskSpace,
  files,
  backup,
  secretKey,
  ...shopChecks,
  mail,
  webhooks,
];

export const allChecks: readonly Check<Served>[] = [...checksOfShop, openFiles];
