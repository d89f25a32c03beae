// A rotation of a shop that several programs serve: each of them must be stopped, on whichever machine it runs.

import { expect, setDefaultTimeout, test } from "bun:test";

import { startPostgres } from "../support/postgres-server.ts";
import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(120_000);

const OLD = Buffer.alloc(32, 1).toString("base64");
const NEW = Buffer.alloc(32, 2).toString("base64");

test("a rotation is refused while a program of another directory serves the shop", async () => {
  await using server = await startPostgres();
  using folder = openScratchFolder();
  const settingsOf = (directory: string, key: string) => ({
    DUKA_DATABASE_URL: server.url("duka"),
    DUKA_DATA_DIR: directory,
    DUKA_SECRET_KEY: key,
  });
  const rotate = () =>
    runDuka(["secrets", "rotate"], {
      folder: folder.path,
      settings: settingsOf("two", `${NEW},${OLD}`),
    });
  await using duka = await openRunningDuka({
    folder: folder.path,
    settings: settingsOf("one", OLD),
    isFromNothing: true,
  });

  const during = await rotate();
  await duka.end("SIGTERM");
  const after = await rotate();

  expect(during).toMatchObject({ code: 1, stdout: "" });
  expect(during.stderr).toContain("Another Duka uses 127.0.0.1");
  expect(after).toMatchObject({ code: 0, stderr: "" });
});
