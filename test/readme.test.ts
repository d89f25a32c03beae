// The README is run: what it tells a newcomer to type works, in the words it is told.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { parseConfig } from "#platform/config/config.ts";
import { describeConfig } from "#platform/config/describe-config.ts";
import { type Setting, settings, type SettingValue } from "#platform/config/settings.ts";

import { openTestShop, type TestShop } from "./support/shop.ts";

const readme = readFileSync(join(import.meta.dir, "../README.md"), "utf8");

/** The shell block that holds the text. */
function blockWith(text: string): string {
  const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map((found) => found[1] ?? "");
  const found = blocks.find((block) => block.includes(text));
  if (found === undefined) throw new Error(`The README has no block with ${text}.`);
  return found;
}

const curl = `curl() { "${process.execPath}" "${join(import.meta.dir, "support/curl.ts")}" "$@"; }`;

/** What the commands print, run in a shell that stops at the first that fails or complains. */
async function runInShell(commands: string, shop: TestShop): Promise<string> {
  const run = Bun.spawn(["bash", "-e", "-o", "pipefail", "-c", `${curl}\n${commands}`], {
    env: { ...process.env, DUKA: `${shop.url}/v2`, KEY: shop.key },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, complaints] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
  ]);
  if ((await run.exited) !== 0 || complaints !== "") throw new Error(complaints);
  return output;
}

test("the first order of the README is placed, fulfilled and announced by its five commands", async () => {
  await using shop = await openTestShop();
  const commands = blockWith("/orders");

  const output = await runInShell(commands, shop);

  expect(commands.match(/curl /g)).toHaveLength(5);
  expect(output).toContain('"fulfillment_status":"fulfilled"');
  expect(await shop.announcedNames()).toEqual([
    "product.created",
    "customer.created",
    "order.placed",
    "order.fulfilled",
  ]);
});

test("the payment of the README is approved when the clock was moved, and the order is paid", async () => {
  await using shop = await openTestShop();
  const commands = `${blockWith("/orders")}\n${blockWith("/payments/initialize")}`;

  const output = await runInShell(commands, shop);

  expect(output).toContain('"status":"requires_action"');
  expect(output).toContain('"payment_status":"paid"');
  expect((await shop.announcedNames()).slice(-4)).toContain("order.paid");
});

test("the summary of the README knows the sales before it", async () => {
  await using shop = await openTestShop();
  const commands = `${blockWith("/orders")}\n${blockWith("/analytics/summary")}`;

  const output = await runInShell(commands, shop);

  expect(output).toContain('"orders":{"placed":1,"paid":0,"fulfilled":1');
  expect(output).toContain('"timezone":"Africa/Accra"');
});

test("the webhook of the README is tried, and its message arrives with a right signature", async () => {
  await using shop = await openTestShop();

  const output = await runInShell(blockWith("/ping"), shop);

  expect(output).toContain('"status":"succeeded"');
  expect(output).toContain('"signature":"valid"');
});

test("the README lists every setting as the program knows it", () => {
  const defaults = new Map(describeConfig(parseConfig({})).map((row) => [row.name, row.value]));
  const rows = Object.values(settings).map((setting: Setting<SettingValue>) => {
    const { name, kind, unit, meaning, reason } = setting;
    const usual = defaults.get(name);
    const takes = unit === null ? kind.range : `${kind.range}, ${unit}`;
    return `| \`${name}\` | ${usual === "" ? "" : `\`${usual}\` `}| ${takes} | ${meaning} ${reason} |`;
  });

  // The formatter lines the columns up.
  const listed = readme
    .split("\n")
    .filter((line) => line.startsWith("| `DUKA_"))
    .map((line) => line.replaceAll(/ +/g, " "));

  expect(listed).toEqual(rows);
});
