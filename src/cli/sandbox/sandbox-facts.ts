// Tells where a sandbox is, and who may enter: as one line of JSON for suites, and as a page of text for people.

import { invocation } from "#cli/mistakes.ts";
import { textMember } from "#cli/operator/members.ts";
import { toIso } from "#kernel/time.ts";
import { version } from "#platform/process/version.ts";
import { STORE_PATH } from "#storefront/store-path.ts";

import type { Sandbox } from "./open-sandbox.ts";

/** The name and the end of a detached sandbox. */
interface Apart {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly endsAt: number;
}

/** The facts that `--json` prints. Names and meanings stay; others may be added. */
export function factsOf(sandbox: Sandbox, apart: Apart | null) {
  const { duka, memory, directory, isKept, dashboard, owner } = sandbox;
  const { key, publishableKey, seed, scenario } = memory;
  return {
    version,
    url: duka.url,
    api: `${duka.url}/v2`,
    key,
    publishable_key: publishableKey,
    dashboard,
    store: `${duka.url}${STORE_PATH}`,
    owner,
    clock: toIso(duka.shops.test.clock.now()),
    seed,
    scenario,
    directory,
    kept: isKept,
    name: apart === null ? null : apart.name,
    ends_at: apart === null ? null : toIso(apart.endsAt),
  };
}

/** Prints the facts, which may have been read from a file. */
export function printSandbox(
  facts: Readonly<Record<string, unknown>>,
  { json }: { readonly json?: true },
): void {
  console.log(json === true ? JSON.stringify(facts) : greeting(facts));
}

function greeting(facts: Readonly<Record<string, unknown>>): string {
  const text = (name: string) => textMember(facts, name);
  const fate = facts["kept"] === true ? "kept at the end" : "deleted at the end; --keep keeps it";
  const end =
    facts["name"] === null
      ? "Ctrl+C ends it."
      : `It ends at ${text("ends_at")}, or with "${invocation} sandbox stop ${text("name")}".`;
  const owner = facts["owner"];
  return [
    `Duka ${version}: a sandbox is running. ${end}`,
    "",
    `  Open  ${text("dashboard")}`,
    `        signs you in once; later ${textMember(owner, "name")}, ${textMember(owner, "password")}`,
    `  Store ${text("store")}`,
    `  API   ${text("api")}`,
    `  Docs  ${text("url")}/docs, guides at ${text("url")}/guides`,
    `  Clock ${text("clock")}`,
    `  Data  ${text("directory")} (${fate})`,
    "",
    "Its keys, for programs and for web pages:",
    "",
    `  ${text("key")}`,
    `  ${text("publishable_key")}`,
  ].join("\n");
}
