// `duka export archive` as a command, and killed.

import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { environmentOf, openRunningDuka, runDuka } from "../../support/running-duka.ts";
import { openScratchFolder } from "../../support/scratch.ts";

setDefaultTimeout(120_000);

test("an archive is taken beside a server, is in the audit log, and is verified", async () => {
  using scratch = openScratchFolder();
  const folder = scratch.path;
  const duka = (line: string) => runDuka(line.split(" "), { folder });
  await using server = await openRunningDuka({ folder });
  await server.request("POST", "/v2/test/seed");

  const taken = await duka("export archive --mode test --mask --to out.tar.gz");
  const [again, verified, audit] = await Promise.all([
    duka("export archive --mode test --to out.tar.gz"),
    duka("export archive --verify out.tar.gz"),
    duka("audit --mode test --json"),
  ]);

  expect(taken).toMatchObject({ code: 0, stderr: "" });
  expect(taken.stdout).toMatch(
    /^The archive of the test shop without personal data is \S+out\.tar\.gz, with \d+ rows in \d+ files\.\n$/,
  );
  expect(again).toMatchObject({ code: 1, stdout: "" });
  expect(again.stderr).toContain("out.tar.gz already.");
  expect(verified).toMatchObject({ code: 0, stderr: "" });
  expect(verified.stdout).toMatch(/^The archive of \S+Z is whole: \d+ files agree\.\n$/);
  expect(audit.stdout).toContain("export archive --mask");
});

test("an archive whose export was killed has no manifest, and is not taken for a whole one", async () => {
  using scratch = openScratchFolder();
  const folder = scratch.path;
  const to = scratch.file("out");
  await using server = await openRunningDuka({ folder });
  const script = join(import.meta.dir, "stopping-archive.ts");
  const child = Bun.spawn([process.execPath, script, scratch.file("data"), to], {
    env: { ...process.env, ...(await environmentOf({ folder })) },
    stdout: "pipe",
  });
  for await (const _ of child.stdout) child.kill("SIGKILL");
  await child.exited;

  const verified = await runDuka(["export", "archive", "--verify", to], { folder });

  expect(server.id).toBeGreaterThan(0);
  expect(readdirSync(to)).toContain("customers.jsonl");
  expect(readdirSync(to)).not.toContain("manifest.json");
  expect(verified).toMatchObject({ code: 1, stdout: "" });
  expect(verified.stderr).toContain("its export was stopped");
});
