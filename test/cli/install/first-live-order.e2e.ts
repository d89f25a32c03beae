// From the archive to the first live order: a Debian without Node becomes a shop under HTTPS, within the time that the
// test has. It needs root, `mmdebstrap` and `ip`, and is a step of `npm run check:all`.

import { expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";

import { ReleaseCopy, target } from "../../release/release-copy.ts";
import { openDebian, PATH } from "./a-debian.ts";
import { inOwnNetwork } from "./own-network.ts";

const ARCHIVE = `duka-0.2.0-${target}.tar.gz`;
const MS_MAX = 300_000;

/** The release of what is in this folder, and a Debian in which its archive was downloaded. */
async function prepare(stack: DisposableStack) {
  const source = stack.use(await ReleaseCopy.open());
  await source.addPackages();
  const made = await source.release();
  if (made.code !== 0) throw new Error(made.stderr);
  const { root } = stack.use(openDebian());
  copyFileSync(source.made(ARCHIVE), join(root, "opt", ARCHIVE));
  return root;
}

test(
  "five minutes after an archive was downloaded, its shop has taken money over HTTPS",
  async () => {
    using stack = new DisposableStack();
    const root = await prepare(stack);
    const script = join(import.meta.dir, "first-live-order.ts");
    const walk = [process.execPath, "run", script, root, ARCHIVE];

    const walked = Bun.spawnSync(inOwnNetwork(root, walk), {
      env: { PATH, HOME: "/root" },
      stdin: "ignore",
      timeout: MS_MAX,
    });

    const told = walked.stdout.toString();
    process.stdout.write(told);
    expect([walked.exitCode, walked.stderr.toString()]).toEqual([0, ""]);
    expect(told).toContain("whose Home answers 200\n");
    expect(told).toEndWith("has a live order that is paid\n");
  },
  // What is prepared takes a minute, and is no part of the five.
  2 * MS_MAX,
);
