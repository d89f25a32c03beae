// The list of all checks: what is missing in this program stands here, and nowhere else. Rows are read in its order,
// area by area.

import { certificate, forwarded, publicUrl, reached, serving, testMode } from "./address-checks.ts";
import type { Check, Place, Served, Stored } from "./check.ts";
import { deprecated, gateway, mail, webhooks } from "./connection-checks.ts";
import { clock, diskSpace, diskSync, openFiles } from "./machine-checks.ts";
import { backup, files, secretKey } from "./safety-checks.ts";
import { shopChecks } from "./shop-checks.ts";

/** Those that need neither a server nor a shop. */
export const checksOfPlace: readonly Check<Place>[] = [
  serving,
  certificate,
  testMode,
  diskSpace,
  diskSync,
  files,
  mail,
];

/** Those that need no server. */
export const checksOfShop: readonly Check<Stored>[] = [
  serving,
  publicUrl,
  certificate,
  testMode,
  diskSpace,
  diskSync,
  files,
  backup,
  secretKey,
  ...shopChecks,
  mail,
  webhooks,
];

export const allChecks: readonly Check<Served>[] = [
  serving,
  publicUrl,
  reached,
  forwarded,
  certificate,
  testMode,
  clock,
  diskSpace,
  diskSync,
  openFiles,
  files,
  backup,
  secretKey,
  ...shopChecks,
  gateway,
  mail,
  webhooks,
  deprecated,
];
