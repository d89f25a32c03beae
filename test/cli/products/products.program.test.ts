// `duka import products` and `duka export products`, with and without a running server.

import { expect, setDefaultTimeout, test } from "bun:test";

import { openRunningDuka, runDuka } from "../../support/running-duka.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { copyTemplateInto } from "../../support/template-files.ts";
import { fileNamed } from "./import-shop.ts";

setDefaultTimeout(60_000);

test("a file is imported without a server, and is in the shop of the one that starts then", async () => {
  using scratch = openScratchFolder();
  const folder = scratch.path;
  copyTemplateInto(scratch.file("data"));
  const duka = (line: string) => runDuka(line.split(" "), { folder });
  const file = fileNamed("shopify");

  const tried = await duka(`import products ${file} --mode test`);
  const done = await duka(`import products ${file} --mode test --apply --report report.json`);
  await using server = await openRunningDuka({ folder });
  const again = await duka(`import products ${file} --mode test --apply`);
  const written = await duka("export products --mode test --out products.csv");
  const back = await duka("import products products.csv --mode test");

  expect(tried.stdout).toContain("5 to create");
  expect(tried.stdout).toContain("Nothing was changed yet.");
  expect(done).toMatchObject({ code: 0, stderr: "" });
  expect(done.stdout).toContain("5 created");
  expect(await Bun.file(scratch.file("report.json")).json()).toMatchObject({
    applied: true,
    products: { create: 5 },
  });
  expect(server.id).toBeGreaterThan(0);
  expect(again.stdout).toContain("5 unchanged");
  expect(written.code).toBe(0);
  expect(back.stdout).toContain("5 unchanged");
});

test("a file with faults ends with 1, shows each at its cell, and its rows are a new file", async () => {
  using scratch = openScratchFolder();
  const folder = scratch.path;
  copyTemplateInto(scratch.file("data"));
  await Bun.write(scratch.file("cups.csv"), "slug,name,price\ncup,Cup,ten\n");
  await Bun.write(scratch.file("mixed.csv"), "slug,name,price\nmug,Mug,5\ncup,Cup,ten\n");

  const refused = await runDuka(["import", "products", "cups.csv", "--apply"], { folder });
  const missing = await runDuka(["import", "products", "plates.csv"], { folder });
  const partial = await runDuka(
    ["import", "products", "mixed.csv", "--apply", "--partial", "--report", "rows.csv"],
    { folder },
  );
  const again = await runDuka(["import", "products", "mixed.csv", "--report", "rows.csv"], {
    folder,
  });
  const misused = await runDuka("import products cups.csv --currency XYZ".split(" "), { folder });

  expect(refused.code).toBe(1);
  expect(refused.stdout).toMatch(/^2 +price +ten +/m);
  expect(refused.stdout).toContain("Nothing was imported");
  expect(partial.code).toBe(1);
  expect(partial.stdout).toContain("1 product with faults is left out.");
  expect(await Bun.file(scratch.file("rows.csv")).text()).toContain("cup,Cup,ten,3,price,");
  expect(again).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("there is a rows.csv already"),
  });
  const unknown = await runDuka("import products cups.csv --encoding klingon".split(" "), {
    folder,
  });
  expect(unknown).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not "klingon"'),
  });
  expect(misused).toMatchObject({ code: 2, stdout: "" });
  expect(missing).toMatchObject({ code: 1, stderr: "There is no file plates.csv.\n" });
});
