// Two programs of one shop have one certificate, also where both believe that they lead: at the cost of one order too
// many. The authority finds one of them, as behind a load balancer, which answers for both.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";

import { realClock } from "#kernel/time.ts";
import { prepareCertificate } from "#platform/acme/certificate-files.ts";

import { openScratchFolder } from "../../support/scratch.ts";
import { TOOL_MS_MAX } from "../../tools/tools.ts";
import { openPebble, type Pebble } from "./pebble.ts";
import { DOMAINS, openRenewing } from "./renewing.ts";

setDefaultTimeout(TOOL_MS_MAX);

let pebble: Pebble;
beforeAll(async () => {
  pebble = await openPebble();
});
afterAll(() => pebble[Symbol.asyncDispose]());

test("two programs that ask at once serve one certificate, which is renewed by one of them", async () => {
  using folder = openScratchFolder();
  await using one = await openRenewing({ pebble, folder: folder.path });
  await using other = await openRenewing({ pebble, folder: folder.path, answers: false });
  const programs = [one, other];
  /** The chains that both serve, as each writes it for itself. */
  const served = () =>
    Promise.all(
      programs.map(async ({ database }, index) => {
        const [certificatePath, keyPath] = [
          folder.file(`${index}.pem`),
          folder.file(`${index}.key`),
        ];
        const paths = { certificatePath, keyPath };
        await prepareCertificate({ paths, domains: DOMAINS, database, clock: realClock });
        return readFileSync(certificatePath, "utf8");
      }),
    );

  await Promise.all(programs.map((program) => program.run()));
  const first = await served();
  await other.wait();
  await other.run();
  const second = await served();
  await one.run();

  const had = programs.flatMap(({ lines }) => lines.filter((line) => line.includes("was had")));
  expect(had).toHaveLength(3);
  expect([first[0], second[0]]).toEqual([first[1], second[1]]);
  expect(second[0]).not.toBe(first[0]);
  expect(await one.row()).toMatchObject({ chain: second[0], failures: 0, problem: null });
});
