// The test suites that the guide shows, in the runners that most projects have.

import { expect, setDefaultTimeout, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { installedChromium } from "../support/browser.ts";
import { runSuite, writeSuite } from "../support/guided-suite.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { TOOL_MS_MAX } from "./tools.ts";

setDefaultTimeout(TOOL_MS_MAX);

/** Neither packages of the machine nor its variables of Python; the folder has the suite. */
const isolated =
  "import sys, unittest; sys.path.insert(0, '.'); unittest.main(module='test_stock')";
const packages = join(import.meta.dir, "node_modules");

test("the suite of the guide passes in Python, with its standard library alone", async () => {
  using folder = openScratchFolder();
  writeSuite(folder, "Python");

  const ended = await runSuite(folder, ["python3", "-I", "-c", isolated]);

  expect(ended.printed).toMatch(/^Ran 1 test in \S+\s+OK$/m);
  expect(ended.code).toBe(0);
});

test("in Python refusals are answers, and DUKA_SANDBOX names the sandbox", async () => {
  using folder = openScratchFolder();
  writeSuite(folder, "Python");
  const duka = (...args: readonly string[]) =>
    runSuite(folder, [folder.file("duka"), "sandbox", ...args]);
  await duka("--detach", "--name", "ci");
  writeFileSync(
    folder.file("walk.py"),
    `from sandbox import open_sandbox
with open_sandbox() as shop:
    product = shop.ask("POST", "/products", {"name": "Mug", "price": 8})
    print(shop.name, shop.ask("GET", "/orders/none")["code"], product["name"])
    webhook = shop.ask("POST", "/webhooks", {"url": shop.url + "/hooks/test/inbox/all"})
    print(shop.ask("DELETE", "/webhooks/" + webhook["id"]))
`,
  );

  const walked = await runSuite(folder, ["python3", "walk.py"], { DUKA_SANDBOX: "ci" });
  const missed = await runSuite(folder, ["python3", "walk.py"], { DUKA_SANDBOX: "other" });
  const stopped = await duka("stop", "ci");

  expect(walked).toEqual({ code: 0, printed: "ci order_not_found Mug\nNone\n" });
  expect(missed.printed).toContain('No sandbox "other" runs: duka sandbox --detach --name other');
  expect(stopped.code).toBe(0);
});

test("the suite of the guide passes in pytest", async () => {
  using folder = openScratchFolder();
  writeSuite(folder, "pytest");

  const ended = await runSuite(folder, ["pytest", "-p", "no:cacheprovider"]);

  expect(ended.printed).toMatch(/ 2 passed in /);
  expect(ended.code).toBe(0);
});

test("the suite of the guide passes in Go, with its standard library alone", async () => {
  using folder = openScratchFolder();
  writeSuite(folder, "Go");
  await runSuite(folder, ["go", "mod", "init", "shop"]);

  const ended = await runSuite(folder, ["go", "test", "-v"], { GOFLAGS: "-mod=mod" });

  expect(ended.printed).toContain("--- PASS: TestAProductIsSold");
  expect(ended.code).toBe(0);
});

test("the suite of the guide passes in Playwright", async () => {
  using folder = openScratchFolder();
  writeSuite(folder, "Playwright");
  writeFileSync(folder.file("package.json"), "{}");
  symlinkSync(packages, folder.file("node_modules"));

  const ended = await runSuite(folder, [join(packages, ".bin", "playwright"), "test"], {
    CHROMIUM: installedChromium(),
  });

  expect(ended.printed).toContain("1 passed");
  expect(ended.code).toBe(0);
});

test.each([
  ["Vitest", ["vitest", "run"], /Tests +1 passed/],
  ["Jest", ["jest"], /Tests: +1 passed, 1 total/],
] as const)("the suite of the guide passes in %s", async (name, [tool, ...args], summary) => {
  using folder = openScratchFolder();
  writeSuite(folder, name);
  writeFileSync(folder.file("package.json"), "{}");
  symlinkSync(packages, folder.file("node_modules"));

  const ended = await runSuite(folder, [join(packages, ".bin", tool), ...args]);

  expect(ended.printed).toMatch(summary);
  expect(ended.code).toBe(0);
});
