// The linters of OpenAPI documents, with the rules that they recommend.

import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";

import { openWorkbench, TOOL_MS_MAX } from "./tools.ts";

setDefaultTimeout(TOOL_MS_MAX);

test("Redocly finds no fault in the document", async () => {
  await using bench = await openWorkbench();
  const rules = join(import.meta.dir, "redocly.yaml");
  const terms = ["--config", rules, "--format", "json"];

  const report = await bench.run("redocly", "lint", "openapi.json", ...terms);

  expect(JSON.parse(report)).toMatchObject({
    totals: { errors: 0, warnings: 0, ignored: 0 },
    problems: [],
  });
});

test("Spectral finds no fault in the document", async () => {
  await using bench = await openWorkbench();
  const rules = join(import.meta.dir, "spectral.yaml");
  const files = ["openapi.json", "--ruleset", rules];
  // Fails, and prints what it found, at a hint already.
  const terms = ["--fail-severity", "hint", "--format", "json", "--quiet"];

  const report = await bench.run("spectral", "lint", ...files, ...terms);

  expect(JSON.parse(report)).toEqual([]);
});
