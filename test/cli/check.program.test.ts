// `duka check` finds figures that do not agree, also beside a running server.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";

import { oldMedium } from "../catalog/media/old-medium.ts";
import { tamper } from "../support/behind-the-shop.ts";
import { openRunningDuka, runDuka, type RunningDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { openTestShop } from "../support/shop.ts";

setDefaultTimeout(60_000);

let scratch: ScratchFolder;
let folder = "";

beforeEach(() => {
  scratch = openScratchFolder();
  folder = scratch.path;
});

afterEach(() => scratch[Symbol.dispose]());

/** Creates a product with this stock; returns its variant's id. */
async function stockMugs(duka: RunningDuka, stock: number): Promise<string> {
  const answer = await duka.request("POST", "/v2/products", {
    body: { name: "Mug", price: 12.5, stock },
  });
  const text = await answer.text();
  return /"var_\w+"/.exec(text)?.[0].slice(1, -1) ?? text;
}

/** Changes the test database without the server's knowledge. */
function change(statement: string): Promise<void> {
  return tamper(scratch.file("data"), statement);
}

function check(...options: string[]) {
  return runDuka(["check", ...options], { folder });
}

test("a sound shop can be checked while its server runs", async () => {
  await using duka = await openRunningDuka({ folder });
  const mug = await stockMugs(duka, 10);
  const order = { line_items: [{ variant_id: mug, quantity: 3 }] };
  await duka.request("POST", "/v2/orders", { body: order });
  await duka.request("PUT", `/v2/inventory/${mug}`, { body: { adjust: -2 } });

  const ended = await check();

  expect(ended).toEqual({
    code: 0,
    stdout: "test: everything agrees\nlive: everything agrees\n",
    stderr: "",
  });
  expect((await duka.request("GET", `/v2/inventory/${mug}`)).status).toBe(200);
});

test("stock without a movement is reported with exit code 1", async () => {
  await using duka = await openRunningDuka({ folder });
  const mug = await stockMugs(duka, 10);
  await change("UPDATE inventory_levels SET on_hand = 11");

  const ended = await check();

  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain(`test: ${mug}: on_hand should be 10 and is 11\n`);
  expect(ended.stdout).toContain("test: 1 difference\nlive: everything agrees\n");
});

test("--json prints the differences as JSON", async () => {
  await using duka = await openRunningDuka({ folder });
  const mug = await stockMugs(duka, 10);
  await change("UPDATE inventory_levels SET on_hand = 7");

  const ended = await check("--json");

  expect(ended.code).toBe(1);
  expect(JSON.parse(ended.stdout)).toEqual({
    ok: false,
    differences: [{ mode: "test", subject: mug, what: "on_hand", expected: 10, found: 7 }],
  });
});

test("a row with a dangling reference is reported", async () => {
  await runDuka(["migrate", "--init"], { folder });
  await change(
    `INSERT INTO fulfillments (order_id, id, lines, created_at) VALUES ('ord_1', 'f', '[]', 0)`,
  );

  const ended = await check();

  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain("1 of fulfillments refer to missing rows of orders");
});

test("a database of an older Duka must be migrated first", async () => {
  await runDuka(["migrate", "--init"], { folder });
  await change("DELETE FROM migrations WHERE name <> '0000_initial'");

  const ended = await check();

  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("Run `duka migrate` first");
});

test("money without a payment is reported", async () => {
  await using duka = await openRunningDuka({ folder });
  const mug = await stockMugs(duka, 10);
  const order = { line_items: [{ variant_id: mug, quantity: 1 }], payment_method: "card" };
  const placed = await (await duka.request("POST", "/v2/orders", { body: order })).text();
  const orderId = /"ord_\w+"/.exec(placed)?.[0].slice(1, -1);
  const body = { order_id: orderId, card_token: "pm_card_visa" };
  await duka.request("POST", "/v2/payments/initialize", { body });
  const sound = await check();
  await change("UPDATE payments SET refunding_minor = 100");
  await change("UPDATE orders SET paid_minor = 1300");

  const ended = await check();

  expect(sound.code).toBe(0);
  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain(`test: ${orderId}: paid_total should be 1250 and is 1300\n`);
  expect(ended.stdout).toContain(": refunds that did not fail should be 0 and is 100\n");
});

test("--repair-media has the running server write a file anew that holds more than pixels", async () => {
  const shop = await openTestShop({ folder: scratch });
  const { name, url, bytes: old } = await oldMedium(shop);
  await shop[Symbol.asyncDispose]();
  const terms = { folder, settings: { DUKA_DATA_DIR: folder } };
  await using duka = await openRunningDuka(terms);
  const run = (...options: string[]) => runDuka(["check", ...options], terms);

  const before = await run();
  const repaired = await run("--repair-media", "--json");
  const after = await run("--repair-media");

  expect(before.code).toBe(1);
  expect(before.stdout).toContain(`${name} should be nothing but pixels`);
  const report = { ok: true, repaired: { test: 1, live: 0 }, differences: [] };
  expect(JSON.parse(repaired.stdout)).toEqual(report);
  expect(after).toMatchObject({ code: 0, stderr: "" });
  expect(after.stdout).toStartWith("test: 0 files of media were written anew.\n");
  const served = await fetch(`${duka.url}${new URL(url).pathname}`);
  expect((await served.bytes()).length).toBeLessThan(old.length);
});
