// The process that decodes a picture ends with its work, also where the server that waited for it is gone.

import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";

import { picture } from "../../support/pictures.ts";
import { openRunningDuka, type RunningDuka } from "../../support/running-duka.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { until } from "../../support/until.ts";

/** It has no program any more once it has ended. */
const isAtWork = (id: string) => existsSync(`/proc/${id}/exe`);

function upload(duka: RunningDuka, key: string, body: Uint8Array<ArrayBuffer>) {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "image/jpeg" };
  return fetch(`${duka.url}/v2/media`, { method: "POST", headers, body });
}

test("a worker whose server is killed ends by itself, and the next start takes pictures", async () => {
  using folder = openScratchFolder();
  const killed = await openRunningDuka({ folder: folder.path });
  const { key } = killed;
  // It takes the worker a second.
  const large = Uint8Array.from(await picture("jpeg", 4_000, 3_000));
  const answer = upload(killed, key, large).then(
    ({ status }) => status,
    () => "none",
  );
  let worker = "";
  await until(() => {
    const children = readFileSync(`/proc/${killed.id}/task/${killed.id}/children`, "utf8");
    worker = children.trim();
    return worker !== "";
  }, "No worker began.");

  await killed.end("SIGKILL");

  expect(isAtWork(worker)).toBe(true);
  expect(await answer).toBe("none");
  await until(() => !isAtWork(worker), "The worker did not end.");
  await using duka = await openRunningDuka({ folder: folder.path });
  const small = Uint8Array.from(await picture("jpeg"));
  expect((await upload(duka, key, small)).status).toBe(201);
}, 60_000);
