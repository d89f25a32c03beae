// The guide to operations is run, backups included.

import { expect, setDefaultTimeout, test } from "bun:test";

import { documents } from "../support/documents.ts";
import { runDocument } from "../support/snippets.ts";

setDefaultTimeout(60_000);

test("the commands of the guide to operations print what it shows", async () => {
  const guide = documents.find(({ path }) => path === "src/guides/operations.md");

  expect(await runDocument(guide?.text ?? "")).toEqual([]);
});
