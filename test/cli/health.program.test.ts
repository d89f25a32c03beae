// `duka health`: one word on the server, for programs that watch it.

import { expect, test } from "bun:test";

import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";

test("a server that runs is ready, by the socket of its data directory and by its address", async () => {
  using folder = openScratchFolder();
  await using duka = await openRunningDuka({ folder: folder.path });
  const settings = { DUKA_PORT: new URL(duka.url).port };

  const bySocket = await runDuka(["health"], { folder: folder.path });
  const byAddress = await runDuka(["health", "--data-dir", "other"], {
    folder: folder.path,
    settings,
  });

  expect(bySocket).toEqual({ code: 0, stdout: "ready\n", stderr: "" });
  expect(byAddress).toEqual({ code: 0, stdout: "ready\n", stderr: "" });
  expect((await duka.end("SIGTERM")).log).not.toContain("administrative");
});

test("a server that does not run is down", async () => {
  using folder = openScratchFolder();
  // Nothing listens at the port for discarding.
  const settings = { DUKA_PORT: "9" };

  const ended = await runDuka(["health"], { folder: folder.path, settings });

  expect(ended).toEqual({ code: 1, stdout: "down\n", stderr: "" });
});

test("a server that does not answer is silent", async () => {
  using folder = openScratchFolder();
  await using duka = await openRunningDuka({ folder: folder.path });
  duka.signal("SIGSTOP");

  const ended = await runDuka(["health"], { folder: folder.path });

  expect(ended).toEqual({ code: 1, stdout: "silent\n", stderr: "" });
});
