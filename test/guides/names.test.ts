// The README and the guides name only what is there: operations, fields, settings, commands, events,
// codes, scopes, files, headings.

import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

import { allChecks } from "#checks/checks.ts";
import { fillGuide } from "#guides/fill-guide.ts";
import { guides } from "#guides/guide.ts";
import { document, guideFacts, refusals } from "#interface.ts";
import { eventNames } from "#messaging/events/event.ts";
import { allSettings } from "#platform/config/settings.ts";
import { notAppliedReasons } from "#pricing/calculation/sale.ts";
import { codeReasons } from "#pricing/discount-uses/discount-use.ts";
import { magicValues } from "#sandbox/simulated-gateway/magic.ts";
import { peopleScopes, scopes } from "#shop/keys/scopes.ts";

import { type Document, documents } from "../support/documents.ts";
import { runDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";

const root = join(import.meta.dir, "../..");
const each = documents.map((one) => [one.path, one] as const);
const openapi = document();

/** Everything that is served beside the documented operations. */
const openPaths = [
  "/docs",
  "/docs/errors",
  "/openapi.json",
  "/client.ts",
  "/client.js",
  "/sandbox.mjs",
  "/sandbox.py",
  "/guides",
  "/llms.txt",
  "/livez",
  "/readyz",
  "/metrics",
];
const operations = new Set(
  Object.entries(openapi.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  ),
);
const paths = Object.keys(openapi.paths);

/** Names of members and parameters, and words of enums, wherever they stand in the document. */
function wordsOf(value: unknown, words = new Set<string>()): Set<string> {
  if (typeof value === "string") words.add(value);
  if (typeof value !== "object" || value === null) return words;
  for (const [name, inside] of Object.entries(value)) {
    words.add(name);
    wordsOf(inside, words);
  }
  return words;
}
const words = new Set([
  ...wordsOf(openapi),
  ...refusals().map(({ code }) => code),
  ...magicValues.map(({ value }) => value),
  // A word of `duka health`, and a member of `duka version --json`.
  "not_ready",
  "oldest_beside",
  ...allChecks.map(({ name }) => name),
  // What is said between Duka and the adapter of a gateway.
  ..."too_late not_sent retry_after_ms gateway_refund_id gateway_reference gateway_asked_at was_asked notify_url maximum_minor multiple_minor phone_prefixes per_minute".split(
    " ",
  ),
  // Columns of a file, codes of single faults, a program of PostgreSQL's, the signers of a release, a member of what `duka sandbox` prints, a figure, the
  // refusal of a door of test mode, and the reasons of a refund, of a refused code and of an email that was not sent.
  ..."price_ghs compare_at_ghs amount_precision date_invalid tax_id_invalid reverse_charge_domestic not_allowed_for_public_key test_token_in_live_mode unknown_field pg_dump allowed_signers publishable_key duka_gateway_troubles_total duka_client_requests_total duka_proxy_headers_missing_total duka_gateway_notices_total duka_refused_total duka_deprecated_requests_total duka_loop_delay_seconds duka_log_reader_behind duka_webhook_unread_events duka_memory_anonymous_bytes order_line_terms refunded_elsewhere shipment_cancelled not_eligible no_recipient unverified_contact unverified_email cross_site".split(
    " ",
  ),
]);

function inlineCode({ text }: Document): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```/g, "");
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
}

describe.each(each)("%s", (path, one) => {
  test("names operations that exist", () => {
    const named = inlineCode(one)
      .filter((code) => /^(GET|POST|PUT|DELETE) \//.test(code))
      .map((code) => code.replace(/\?.*/, ""));

    expect(named.filter((operation) => !operations.has(operation))).toEqual([]);
  });

  test("names paths that exist", () => {
    const named = inlineCode(one).filter((code) => /^\/[a-z]/.test(code));
    const pages = ["/dashboard", "/dashboard/test", "/test/shop", "/test/store"];
    const others = ["/v2", "/v2/test", "/hooks/test/inbox/<name>", ...pages];
    const known = new Set([...openPaths, ...paths, ...others]);

    expect(named.filter((address) => !known.has(address))).toEqual([]);
  });

  test("names settings that exist", () => {
    const named = one.text.match(/\bDUKA_[A-Z0-9_]+/g) ?? [];

    // What `npm run release` and `compose.yaml` read, which are no settings of the program.
    const known = new Set([
      "DUKA_RELEASE_KEY",
      "DUKA_DOMAIN",
      "DUKA_SANDBOX",
      ...allSettings.map(({ name }) => name),
    ]);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  test("names fields, states and codes that exist", () => {
    const named = inlineCode(one).filter((code) => /^[a-z]+(_[A-Za-z0-9]+)+$/.test(code));

    expect(named.filter((name) => !words.has(name))).toEqual([]);
  });

  test("names events and scopes that exist", () => {
    const nouns = new Set([...eventNames].map((name) => name.split(".")[0]));
    const events = inlineCode(one).filter(
      (code) => /^[a-z]+\.[a-z]+$/.test(code) && nouns.has(code.split(".")[0]),
    );
    const grants = inlineCode(one).filter((code) => /^[a-z]+:[a-z]+$/.test(code));

    expect(events.filter((name) => !eventNames.some((known) => known === name))).toEqual([]);
    const held: readonly string[] = [...scopes, ...peopleScopes];
    expect(grants.filter((name) => !held.includes(name))).toEqual([]);
  });

  test("links to files, headings and addresses that exist", () => {
    const targets = [...one.text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);

    expect(targets.filter((target) => !leadsSomewhere(path, target))).toEqual([]);
  });
});

test("documents name commands that exist", async () => {
  using folder = openScratchFolder();
  const named = documents.flatMap(({ text }) =>
    [...text.matchAll(/(?:^|[`(;|] ?|main\.ts )duka ((?:[a-z]+ ?){1,2})/gm)].map(([, name = ""]) =>
      name.trim(),
    ),
  );
  const printed = await runDuka(["guide", "operations"], { folder: folder.path });
  const commands = [...printed.stdout.matchAll(/^- `duka ([a-z ]+[a-z])/gm)].map(
    ([, name = ""]) => name,
  );

  const unknown = named.filter(
    (name) => !commands.some((command) => `${name} `.startsWith(`${command} `)),
  );
  expect(commands).toContain("keys create");
  expect([...new Set(unknown)]).toEqual([]);
});

test("every guide in the folder is in the program, and in the README", () => {
  const readme = documents[0]?.text ?? "";
  const files = documents.slice(1).map(({ path }) => path);

  expect(guides.map(({ name }) => `src/guides/${name}.md`).toSorted()).toEqual(files);
  expect(files.filter((path) => !readme.includes(`(${path})`))).toEqual([]);
});

test("a marker without a list fails", () => {
  expect(() => fillGuide("<!-- nonsense -->", guideFacts([]))).toThrow("nonsense");
});

test("the README fits into 8 kB", () => {
  expect(Buffer.byteLength(documents[0]?.text ?? "")).toBeLessThanOrEqual(8_000);
});

function leadsSomewhere(from: string, target: string): boolean {
  if (/^https?:\/\//.test(target)) return true;
  const [file = "", heading] = target.split("#");
  const path = file === "" ? from : normalize(join(dirname(from), file));
  if (!existsSync(join(root, path))) return false;
  if (heading === undefined) return true;
  const html = Bun.markdown.html(documents.find((one) => one.path === path)?.text ?? "", {
    headings: { ids: true },
  });
  return html.includes(` id="${heading}"`);
}

test("the guide of discounts explains each reason why a code does not apply", () => {
  const guide = documents.find(({ path }) => path === "src/guides/discounts.md")?.text ?? "";
  const explained = [...guide.matchAll(/^\| `(\w+)` +\| [A-Z]/gm)].map(([, reason]) => reason);

  expect(new Set(explained)).toEqual(
    new Set([...codeReasons, ...notAppliedReasons, "not_eligible"]),
  );
});
