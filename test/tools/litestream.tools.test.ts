// Litestream beside Duka, both killed: what it copied is a shop, and its tables are no damage. It is there for Linux on
// x64 alone.

import { Database as SqliteFile } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(120_000);

const litestream = join(import.meta.dir, "node_modules/@flydotio/litestream-linux-x64/litestream");
const MODES = ["live", "test"];

/** Where each file is copied to. */
function writeSettings(scratch: ScratchFolder): string {
  const files = MODES.map(
    (mode) =>
      `  - path: ${scratch.file(`data/${mode}.sqlite`)}\n    replicas:\n      - path: ${scratch.file(`copies/${mode}`)}\n`,
  );
  writeFileSync(scratch.file("litestream.yml"), `dbs:\n${files.join("")}`);
  return scratch.file("litestream.yml");
}

/** Makes a data directory of the copies. */
function restore(scratch: ScratchFolder, directory: string): void {
  mkdirSync(scratch.file(directory), { mode: 0o700 });
  for (const mode of MODES) {
    const target = scratch.file(`${directory}/${mode}.sqlite`);
    const { exitCode, stderr } = Bun.spawnSync(
      [litestream, "restore", "-o", target, `file://${scratch.file(`copies/${mode}`)}`],
      { stderr: "pipe" },
    );
    if (exitCode !== 0) throw new Error(stderr.toString());
  }
  cpSync(scratch.file("data/secret.key"), scratch.file(`${directory}/secret.key`));
}

/** The ids of the orders, oldest first. */
function ordersIn(path: string): string[] {
  using file = new SqliteFile(path, { readonly: true });
  return file
    .query<{ id: string }, []>("SELECT id FROM orders ORDER BY id")
    .all()
    .map(({ id }) => id);
}

test.skipIf(!existsSync(litestream))(
  "the copy of a shop that was killed while it sold is a shop without its last moments",
  async () => {
    using scratch = openScratchFolder();
    const terms = { folder: scratch.path };
    await using duka = await openRunningDuka(terms);
    const copier = Bun.spawn([litestream, "replicate", "-config", writeSettings(scratch)], {
      stdout: "ignore",
      stderr: "ignore",
    });
    const sold: string[] = [];
    const sell = async (count: number) => {
      const body = { line_items: [{ name: "Mug", quantity: 1, unit_price: "5.00" }] };
      for (let left = count; left > 0; left -= 1) {
        const answer = await duka.request("POST", "/v2/orders", { body });
        sold.push(Object(await answer.json()).id);
      }
    };
    try {
      await sell(200);
      let tries = 0;
      await until(() => {
        tries += 1;
        if (!existsSync(scratch.file("copies/test/generations"))) return false;
        restore(scratch, `try-${tries}`);
        return ordersIn(scratch.file(`try-${tries}/test.sqlite`)).length === 200;
      }, "The copy does not get the orders.");
      const backup = await runDuka(["backup"], terms);
      const checked = await runDuka(["check"], terms);
      await sell(500);
      copier.kill("SIGKILL");
      await duka.end("SIGKILL");

      expect([backup.code, checked.code]).toEqual([0, 0]);
    } finally {
      copier.kill("SIGKILL");
      await copier.exited;
    }

    restore(scratch, "copied");

    const copied = ordersIn(scratch.file("copied/test.sqlite"));
    expect(copied.length).toBeGreaterThanOrEqual(200);
    expect(copied).toEqual(sold.toSorted().slice(0, copied.length));
    expect(ordersIn(scratch.file("data/test.sqlite"))).toEqual(sold.toSorted());
    const elsewhere = { ...terms, settings: { DUKA_DATA_DIR: "copied" } };
    expect((await runDuka(["check"], terms)).code).toBe(0);
    expect((await runDuka(["check"], elsewhere)).code).toBe(0);
    await using again = await openRunningDuka(elsewhere);
    const store = await again.request("GET", "/v2/store", { key: duka.key });
    expect(store.status).toBe(200);
  },
);
