// A file that a later program has added to: this one serves it, checks it and backs it up, and changes nothing for which
// it would have to know what was added.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { tamper } from "../support/behind-the-shop.ts";
import { expanding, openLaterProgram } from "../support/later-program.ts";
import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

const opened = new AsyncDisposableStack();
const folder = opened.use(openScratchFolder()).path;
let key = "";

beforeAll(async () => {
  using later = openLaterProgram(expanding);
  await using duka = await openRunningDuka({ folder, program: later.program });
  ({ key } = duka);
  await duka.end("SIGTERM");
});
afterAll(() => opened.disposeAsync());

test("it goes on selling, and its figures are checked and backed up", async () => {
  await using duka = await openRunningDuka({ folder });
  const product = { name: "Mug", price: 12.5, stock: 2 };

  const made = await duka.request("POST", "/v2/products", { key, body: product });
  const checked = await runDuka(["check"], { folder });
  const backedUp = await runDuka(["backup"], { folder });

  expect(made.status).toBe(201);
  expect(checked).toMatchObject({ code: 0, stderr: "" });
  expect(backedUp.code).toBe(0);
  expect(backedUp.stderr).toMatch(/^test: .*everything agrees$/m);
});

test("no customer is deleted or erased, and the test shop is not emptied", async () => {
  await using duka = await openRunningDuka({ folder });
  const customer = { key, body: { email: "amina@shop.test" } };
  const id = /cus_\w+/.exec(
    await (await duka.request("POST", "/v2/customers", customer)).text(),
  )?.[0];

  const refused = [
    await duka.request("POST", `/v2/customers/${id}/erase`, { key }),
    await duka.request("DELETE", `/v2/customers/${id}`, { key }),
    await duka.request("POST", "/v2/test/reset", { key }),
  ];

  for (const answer of refused) {
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: "newer_schema" });
  }
  expect((await duka.request("GET", `/v2/customers/${id}`, { key })).status).toBe(200);
});

test("its secrets are not encrypted anew", async () => {
  const ended = await runDuka(["secrets", "rotate"], { folder });

  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("A newer Duka added to the database");
});

test("a trigger in it is damage all the same, and so is a table with other columns", async () => {
  using copy = openScratchFolder();
  using later = openLaterProgram(expanding);
  await using duka = await openRunningDuka({ folder: copy.path, program: later.program });
  await duka.end("SIGTERM");
  await tamper(
    copy.file("data"),
    "CREATE TRIGGER thief AFTER INSERT ON orders BEGIN DELETE FROM events; END",
    "ALTER TABLE orders RENAME COLUMN currency TO money",
  );

  const ended = await runDuka(["check"], { folder: copy.path });

  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain("test: trigger thief: definition should be none");
  expect(ended.stdout).toContain("test: table orders: definition");
});
