// The README and the guides are run: what they say to type works, and prints what they show.

import { expect, setDefaultTimeout, test } from "bun:test";

import { documents } from "../support/documents.ts";
import { runDocument, snippetsOf } from "../support/snippets.ts";

setDefaultTimeout(60_000);

const ECHO = `echo '{"total": 12.50, "lines": [{"id": "li_1", "quantity": 2}]}'`;

/** The guide to operations makes backups, which are of files: it has a test of its own. */
const withCommands = documents.filter(
  ({ path, text }) => snippetsOf(text).length > 0 && path !== "src/guides/operations.md",
);

test.each(withCommands.map(({ path, text }) => [path, text] as const))(
  "the commands of %s print what it shows",
  async (_, text) => {
    expect(await runDocument(text)).toEqual([]);
  },
);

test("an answer that is not what is shown is found", async () => {
  const shown = [
    '{ "total": 12.50, "lines": [{ "id": "li_…", … }], … }',
    '{ "total": 12.51, … }',
    '{ "total": 12.50 }',
    '{ "lines": [] , … }',
    '{ "lines": [{ "id": "ord_…", … }, … ], … }',
    '{ "due": 0, … }',
  ].map((answer) => `\`\`\`sh\n${ECHO}\n\`\`\`\n\n\`\`\`json\n${answer}\n\`\`\`\n`);

  const faults = await runDocument(shown.join("\n"));

  expect(faults.map((fault) => /.*: (.*) in \{/.exec(fault)?.[1])).toEqual([
    "/total is 12.5",
    " has lines, too",
    "/lines has 1 elements",
    "/lines/0/id is li_1",
    "/due is undefined",
  ]);
});
