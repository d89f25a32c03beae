// Duka on a machine of its own: what the installation does, and what is left when it is taken away. It needs root and
// `mmdebstrap`, and is a step of `npm run check:all`.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, copyFileSync } from "node:fs";
import { join } from "node:path";

import { program } from "../../support/running-duka.ts";
import { type Debian, openDebian, PATH } from "./a-debian.ts";

setDefaultTimeout(300_000);

const [binary = ""] = program;
let debian: Debian;

/** Commands of one boot of the machine: its processes end with the last of them. */
function boot(commands: string): { readonly code: number | null; readonly printed: string } {
  const { root } = debian;
  const script = `mount -t proc proc ${root}/proc && rm -f ${root}/run/duka.id && exec chroot ${root} sh -c "$0"`;
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    ["unshare", "--mount", "--pid", "--fork", "sh", "-c", script, commands],
    { env: { PATH }, stdin: "ignore" },
  );
  return { code: exitCode, printed: `${stdout.toString()}${stderr.toString()}` };
}

beforeAll(() => {
  debian = openDebian();
  const downloaded = join(debian.root, "opt/duka");
  copyFileSync(binary, downloaded);
  chmodSync(downloaded, 0o755);
});

afterAll(() => debian[Symbol.dispose]());

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

test("a machine without systemd and a user without rights are refused, and a changed unit is kept", () => {
  const { code, printed } = boot(`
    setpriv --reuid 65534 --regid 65534 --clear-groups /opt/duka install 2>&1; echo "= $?"
    mv /run/systemd /run/away && /opt/duka install 2>&1; echo "= $?"; mv /run/away /run/systemd
    ls /usr/local/bin/duka 2>&1
    /opt/duka install > /dev/null && echo "# mine" >> /etc/systemd/system/duka.service
    /opt/duka install 2>&1; echo "= $?"
    tail -n 1 /etc/systemd/system/duka.service && ls /etc/systemd/system/duka.service.new`);

  expect(code).toBe(0);
  expect(printed.match(/^= \d$/gm)).toEqual(["= 2", "= 2", "= 1"]);
  expect(printed).toContain("cannot access '/usr/local/bin/duka'");
  expect(printed).toContain("it is kept, with ours in");
  expect(printed).toEndWith("# mine\n/etc/systemd/system/duka.service.new\n");
});
