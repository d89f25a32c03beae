// A Debian of the mirror's packages alone, in a folder, on which Duka is installed for real: only systemd is played. It
// needs root and `mmdebstrap`.

import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Debian extends Disposable {
  readonly root: string;
}

/** The PATH of its commands, and of those of this machine that start them. */
export const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Makes it, on a disk: a machine has devices, which a file system in memory may refuse. */
export function openDebian(): Debian {
  const folder = mkdtempSync(join(tmpdir(), "duka-machine-"));
  const root = join(folder, "root");
  // The packages of this machine, whose sources are known to answer.
  const [, suite = "stable"] =
    /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync("/etc/os-release", "utf8")) ?? [];
  const made = Bun.spawnSync(["mmdebstrap", "--variant=minbase", "--quiet", suite, root]);
  if (!made.success) throw new Error(made.stderr.toString());
  mkdirSync(join(root, "run/systemd/system"), { recursive: true });
  const played = join(root, "usr/local/sbin/systemctl");
  copyFileSync(join(import.meta.dir, "played-systemctl.sh"), played);
  chmodSync(played, 0o755);
  return { root, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
