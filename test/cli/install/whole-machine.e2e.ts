// A Debian of the mirror's packages alone, on which Duka is installed for real: only systemd is played. It needs root and
// `mmdebstrap`, and is a step of `npm run check:all`.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { program } from "../../support/running-duka.ts";

setDefaultTimeout(300_000);

/** On a disk: a machine has devices, which a file system in memory may refuse. */
const folder = mkdtempSync(join(tmpdir(), "duka-machine-"));
const root = join(folder, "root");
const [binary = ""] = program;

/** Commands of one boot of the machine: its processes end with the last of them. */
function boot(commands: string): { readonly code: number | null; readonly printed: string } {
  const script = `mount -t proc proc ${root}/proc && rm -f ${root}/run/duka.id && exec chroot ${root} sh -c "$0"`;
  const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    ["unshare", "--mount", "--pid", "--fork", "sh", "-c", script, commands],
    { env: { PATH: path }, stdin: "ignore" },
  );
  return { code: exitCode, printed: `${stdout.toString()}${stderr.toString()}` };
}

beforeAll(() => {
  // The packages of this machine, whose sources are known to answer.
  const [, suite = "stable"] =
    /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync("/etc/os-release", "utf8")) ?? [];
  const made = Bun.spawnSync(["mmdebstrap", "--variant=minbase", "--quiet", suite, root]);
  if (!made.success) throw new Error(made.stderr.toString());
  mkdirSync(join(root, "run/systemd/system"), { recursive: true });
  const played = join(root, "usr/local/sbin/systemctl");
  copyFileSync(join(import.meta.dir, "played-systemctl.sh"), played);
  copyFileSync(binary, join(root, "opt/duka"));
  for (const file of [played, join(root, "opt/duka")]) chmodSync(file, 0o755);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("one command makes a server that answers, as a user of its own", () => {
  const { code, printed } = boot(`
    /opt/duka install --domain shop.example || exit 1
    cd /var/lib/duka && stat -c '%a %U:%G %n' . live.sqlite /etc/duka/duka.env /usr/local/bin/duka
    setpriv --reuid duka --regid duka --clear-groups duka --env-file /etc/duka/duka.env check`);

  expect([code, printed.match(/^did /gm)?.length]).toEqual([0, 7]);
  expect(printed).toContain("Open  https://shop.example/dashboard/door/");
  expect(printed).toContain(`700 duka:duka .
600 duka:duka live.sqlite
640 root:duka /etc/duka/duka.env
755 root:root /usr/local/bin/duka
test: everything agrees
live: everything agrees
`);
});

test("the same command again changes nothing, and taking the service away leaves the shop", () => {
  const { code, printed } = boot(`
    systemctl restart && rm /calls
    duka install || exit 1
    cat /calls && echo ==
    duka uninstall || exit 1
    ls /usr/local/bin /etc/systemd/system
    ls /var/lib/duka/live.sqlite /etc/duka/duka.env && id -un duka`);

  expect(code).toBe(0);
  const [again = "", away = ""] = printed.split("==\n");
  expect([again.match(/^already /gm)?.length, again.includes("restart")]).toEqual([6, false]);
  expect(away).not.toContain("\nduka.service\n");
  expect(away).toEndWith("/usr/local/bin:\n/etc/duka/duka.env\n/var/lib/duka/live.sqlite\nduka\n");
});
