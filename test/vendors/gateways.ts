// `bun run gateways`: the contract of gateways, and their adapters against the faces of their vendors.
// `bun run gateways --live stripe|paystack [--currency GHS|KES] [--person] [--record]`: the live cases against a test
// account of the vendor, whose secret stands in DUKA_STRIPE_TEST_SECRET or DUKA_PAYSTACK_TEST_SECRET. `--person` asks
// somebody to act on the vendor's pages, `--record` saves what the vendor answered. Exit code 1 if a case failed, 2
// if nothing was asked.

import { join } from "node:path";
import { parseArgs } from "node:util";

import { vendors } from "#payments/gateways/vendor-table.ts";
import { secretFault } from "#payments/gateways/vendors.ts";

import type { LiveCase } from "./live/live-cases.ts";
import type { Account, Outside } from "./live/live-world.ts";
import { paystackCases, paystackCurrencies, type PaystackCurrency } from "./live/paystack-cases.ts";
import { writeRecordings } from "./live/recordings.ts";
import { runLive } from "./live/run-live.ts";
import { stripeCases } from "./live/stripe-cases.ts";

const { values } = parseArgs({
  options: {
    live: { type: "string" },
    currency: { type: "string", default: "GHS" },
    person: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
  },
});

const print = (line: string) => void process.stdout.write(`${line}\n`);

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
}

function casesOf(vendor: string): readonly LiveCase[] {
  if (vendor === "stripe") return stripeCases;
  const isKnown = (one: string): one is PaystackCurrency =>
    paystackCurrencies.some((known) => known === one);
  if (vendor !== "paystack") refuse("--live takes stripe or paystack.");
  if (!isKnown(values.currency)) refuse(`--currency takes ${paystackCurrencies.join(" or ")}.`);
  return paystackCases(values.currency);
}

function accountOf(id: string): Account {
  const vendor = vendors.find((one) => one.id === id) ?? refuse(`There is no vendor ${id}.`);
  const name = `DUKA_${id.toUpperCase()}_TEST_SECRET`;
  const secret = process.env[name] ?? refuse(`Set ${name} to a secret of test mode.`);
  const fault = secretFault(vendor, "test", secret);
  return fault === null
    ? { vendor, secret, address: vendor.addresses.test }
    : refuse(`${name} ${fault}.`);
}

const outside: Outside = {
  now: () => Date.now(),
  pause: (ms) => Bun.sleep(ms),
  askPerson: values.person ? async (what, url) => print(`  ${what}: ${url}`) : null,
};

async function live(id: string): Promise<number> {
  if (process.env["CI"] !== undefined) refuse("Live cases are run by a person, not in CI.");
  const cases = casesOf(id);
  const account = accountOf(id);
  print(
    `${cases.length} cases against ${account.address} in test mode. They make payments of 1.00,`,
  );
  print("pages that no one pays, and refunds, which stay in the account's test data.\n");
  const results = await runLive({ account, cases, outside, print });
  if (values.record) writeRecordings(join(import.meta.dir, "recordings"), results);
  const count = (state: string) => results.filter((one) => one.state === state).length;
  print(`\n${count("held")} held, ${count("failed")} failed, ${count("left_out")} left out`);
  return count("failed") === 0 ? 0 : 1;
}

async function againstFaces(): Promise<number> {
  const command = [process.execPath, "test", "--timeout", "30000", "test/vendors"];
  return Bun.spawn(command, { stdio: ["ignore", "inherit", "inherit"] }).exited;
}

process.exitCode = values.live === undefined ? await againstFaces() : await live(values.live);
