// `duka import customers`, `duka export customers`, `duka export orders` and `duka export order-lines`, with and without a running server.

import { expect, setDefaultTimeout, test } from "bun:test";

import { openRunningDuka, runDuka } from "../../support/running-duka.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { copyTemplateInto } from "../../support/template-files.ts";

setDefaultTimeout(60_000);

test("customers are imported without a server, and come back out of a running one", async () => {
  using scratch = openScratchFolder();
  const folder = scratch.path;
  copyTemplateInto(scratch.file("data"));
  const duka = (line: string) => runDuka(line.split(" "), { folder });
  await Bun.write(
    scratch.file("in.csv"),
    "email,name\nada@example.com,Ada\nkofi@example.com,Kofi\n",
  );

  const tried = await duka("import customers in.csv --mode test");
  const done = await duka("import customers in.csv --mode test --apply --report report.json");
  await using server = await openRunningDuka({ folder });
  const written = await duka("export customers --mode test --out out.csv");
  const back = await duka("import customers out.csv --mode test");
  const orders = await duka("export orders --mode test --from 2026-01-01");
  const lines = await duka("export order-lines --mode test --from 2026-01-01");
  const misused = await duka("export orders --mode test --to 2026-02-30");

  expect(tried.stdout).toContain("2 to create");
  expect(tried.stdout).toContain("Add --apply to import these customers.");
  expect(done).toMatchObject({ code: 0, stderr: "" });
  expect(done.stdout).toContain("The shop has these customers now.");
  expect(await Bun.file(scratch.file("report.json")).json()).toMatchObject({
    applied: true,
    customers: { create: 2 },
  });
  expect(server.id).toBeGreaterThan(0);
  expect(written.stdout).toContain("with a row for each address");
  expect(back.stdout).toContain("2 unchanged");
  expect(orders.stdout).toStartWith("row,order_number,date,");
  expect(lines.stdout).toStartWith("order_number,date,");
  expect(misused).toMatchObject({ code: 2, stdout: "" });
});
