// A service is installed step by step: each may be repeated, and none takes away what the machine's owner wrote.

import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";

import type { InstallOptions } from "#cli/install/install-commands.ts";
import { install, uninstall } from "#cli/install/install.ts";
import { UsageFault } from "#cli/operator/settings.ts";
import { parseConfig } from "#platform/config/config.ts";
import { readEnvironmentFile } from "#platform/process/environment.ts";

import { ScratchMachine } from "./a-machine.ts";

const PROGRAM = "usr/local/bin/duka";
const SETTINGS = "etc/duka/duka.env";
const UNIT = "etc/systemd/system/duka.service";
const plain: InstallOptions = { user: "duka" };

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

function settingsOn(machine: ScratchMachine) {
  return parseConfig(readEnvironmentFile(machine.path(SETTINGS)));
}

describe("on an empty machine", () => {
  test("every step is done, and files are open to those alone who need them", async () => {
    using machine = new ScratchMachine();

    const isWhole = await install(plain, machine.place());

    expect(isWhole).toBeTrue();
    expect(machine.words()).toEqual(Array<string>(7).fill("did"));
    const places = ["var/lib/duka", SETTINGS, UNIT, PROGRAM, "etc/duka"];
    expect(places.map((path) => modeOf(machine.path(path)))).toEqual([
      "700",
      "640",
      "644",
      "755",
      "755",
    ]);
    expect(machine.file(PROGRAM)).toBe("program 1");
    expect(machine.changes.map((change) => change.split(" ").slice(0, 2).join(" "))).toEqual([
      "useradd --system",
      "chown -R",
      "systemctl daemon-reload",
      "systemctl enable",
      "systemctl restart",
    ]);
  });

  test("without a domain the server listens on loopback, and its link for the first owner is printed", async () => {
    using machine = new ScratchMachine();

    await install(plain, machine.place());

    const { listen, publicUrl, dataDirectory } = settingsOn(machine);
    expect([listen.host, listen.port, publicUrl]).toEqual(["127.0.0.1", 4000, null]);
    expect(dataDirectory).toBe("/var/lib/duka");
    expect(machine.printed).toContain("\nOpen  http://localhost:4000/dashboard/door/TOKEN");
    expect(machine.printed.at(-1)).toContain("duka proxy nginx --env-file /etc/duka/duka.env");
  });

  test("a domain gives the public URL, a token of metrics, and the proxy that has the certificate", async () => {
    using machine = new ScratchMachine();
    using other = new ScratchMachine();

    await install({ ...plain, domain: "Shop.Example" }, machine.place());
    await install({ ...plain, domain: "shop.example" }, other.place());

    const { publicUrl, metricsToken, http } = settingsOn(machine);
    expect([publicUrl, http.trustedProxies.length]).toEqual(["https://shop.example", 2]);
    expect(metricsToken).toMatch(/^\w{33}$/);
    expect(settingsOn(other).metricsToken).not.toBe(metricsToken);
    expect(machine.printed.at(-1)).toBe("Next  duka proxy caddy --env-file /etc/duka/duka.env");
  });

  test("a domain with an email makes the server itself one under HTTPS, on IPv6 where the machine has it", async () => {
    using machine = new ScratchMachine();
    using older = new ScratchMachine();
    mkdirSync(machine.path("/proc/net"), { recursive: true });
    writeFileSync(machine.path("/proc/net/if_inet6"), "");
    const options = { ...plain, domain: "shop.example", email: "you@shop.example" };

    await install(options, machine.place());
    await install(options, older.place());

    const { publicUrl, metricsToken, http, listen, acme } = settingsOn(machine);
    expect([publicUrl, http.trustedProxies]).toEqual(["https://shop.example", []]);
    expect([listen.host, listen.port, settingsOn(older).listen.host]).toEqual([
      "::",
      443,
      "0.0.0.0",
    ]);
    expect(acme).toMatchObject({ domains: ["shop.example"], email: "you@shop.example" });
    expect(metricsToken).toMatch(/^\w{33}$/);
    expect(machine.printed.at(-1)).toContain("Open  http");
  });

  test("another user and another data directory are those of the unit", async () => {
    using machine = new ScratchMachine();
    using beside = new ScratchMachine();

    await install({ user: "shop", dataDir: "/srv/shop" }, machine.place());
    await install({ ...plain, dataDir: "/var/lib/duka-two" }, beside.place());

    expect(machine.file(UNIT)).toContain("\nUser=shop\nReadWritePaths=/srv/shop\nRestart=");
    expect(beside.file(UNIT)).toContain("\nStateDirectory=duka-two\nStateDirectoryMode=0700\n");
  });

  test("a dry run says what would be done, and does nothing", async () => {
    using machine = new ScratchMachine();

    await install(plain, machine.place(true));

    expect(machine.words()).toEqual(Array<string>(7).fill("would"));
    expect(machine.changes).toEqual([]);
    expect(existsSync(machine.path("etc"))).toBeFalse();
  });
});

describe("once more", () => {
  test("nothing is done but that the service's health is asked for", async () => {
    using machine = new ScratchMachine();
    await install(plain, machine.place());
    const settings = machine.file(SETTINGS);
    machine.words();
    machine.changes.length = 0;
    machine.people = [{ name: "Ada" }];

    await install(plain, machine.place());

    expect(machine.printed).toContain("\nDashboard  http://127.0.0.1:4000/dashboard");
    expect(machine.words()).toEqual([...Array<string>(6).fill("already"), "did"]);
    expect([machine.changes, machine.file(SETTINGS)]).toEqual([[], settings]);
  });

  test("a new program takes the place of the old one, and the service starts with it", async () => {
    using machine = new ScratchMachine();
    await install(plain, machine.place());
    machine.changes.length = 0;
    writeFileSync(machine.executable, "program 2");
    machine.startedAt = 1;

    await install(plain, machine.place());

    expect(machine.file(PROGRAM)).toBe("program 2");
    expect(machine.changes).toContain("systemctl restart duka.service");
  });

  test("what was stopped before the service was started anew is finished", async () => {
    using machine = new ScratchMachine();
    await install(plain, machine.place());
    machine.changes.length = 0;
    // The program was replaced, and the machine lost power.
    machine.startedAt = 1;

    await install(plain, machine.place());

    expect(machine.changes).toContain("systemctl restart duka.service");
  });

  test("a unit that was changed is kept, and ours lies beside it", async () => {
    using machine = new ScratchMachine();
    await install(plain, machine.place());
    writeFileSync(machine.path(UNIT), "[Service]\nMemoryMax=1G\n");

    const isWhole = await install(plain, machine.place());
    machine.words();
    const again = await install(plain, machine.place());

    expect([isWhole, again]).toEqual([false, false]);
    expect(machine.file(UNIT)).toBe("[Service]\nMemoryMax=1G\n");
    expect(machine.file(`${UNIT}.new`)).toContain("ExecStart=/usr/local/bin/duka serve");
    expect(machine.printed.at(-1)).toContain("it is kept, with ours in");
    expect(machine.words()).toEqual([...Array<string>(6).fill("already"), "did"]);
  });

  test("a directory that is open to others is closed", async () => {
    using machine = new ScratchMachine();
    mkdirSync(machine.path("var/lib/duka"), { recursive: true, mode: 0o755 });

    await install(plain, machine.place());

    expect(modeOf(machine.path("var/lib/duka"))).toBe("700");
  });
});

describe("a file of settings that is there", () => {
  function withSettings(lines: string): ScratchMachine {
    const machine = new ScratchMachine();
    mkdirSync(machine.path("etc/duka"), { recursive: true });
    writeFileSync(machine.path(SETTINGS), lines);
    return machine;
  }

  test("holds, as it is", async () => {
    const own = "DUKA_DATA_DIR=/srv/shop\nDUKA_PUBLIC_URL=https://shop.example\n";
    using machine = withSettings(own);

    await install({ ...plain, domain: "shop.example" }, machine.place());

    expect(machine.file(SETTINGS)).toBe(own);
    expect(machine.file(UNIT)).toContain("ReadWritePaths=/srv/shop");
  });

  test.each([
    ["DUKA_PORT=4000\n", plain, "does not name DUKA_DATA_DIR"],
    ["DUKA_DATA_DIR=/srv/a\n", { ...plain, dataDir: "/srv/b" }, "has DUKA_DATA_DIR=/srv/a"],
    ["DUKA_DATA_DIR=/srv/a\n", { ...plain, domain: "shop.example" }, "has no DUKA_PUBLIC_URL"],
    ["DUKA_DATA_DIR=/usr/duka\n", plain, "which the service may write"],
    ["DUKA_DATA_DIR=/srv/a\nDUKA_PORT=x\n", plain, "is not a whole number"],
  ])("that says %j is not contradicted, and nothing is done", async (lines, options, told) => {
    using machine = withSettings(lines);

    const error = await install(options, machine.place()).catch(String);

    expect(error).toContain(told);
    expect([machine.changes, machine.file(SETTINGS)]).toEqual([[], lines]);
  });
});

test.each([
  [{ ...plain, user: "root" }],
  [{ ...plain, user: "a b" }],
  [{ ...plain, domain: "localhost" }],
  [{ ...plain, domain: "10.0.0.1" }],
  [{ ...plain, domain: "*.shop.example" }],
  [{ ...plain, domain: "https://shop.example" }],
  [{ ...plain, domain: "shop.example:8443" }],
  [{ ...plain, email: "you@shop.example" }],
  [{ ...plain, dataDir: "/" }],
  [{ ...plain, dataDir: "data" }],
  [{ ...plain, dataDir: "/usr/shop" }],
  [{ ...plain, dataDir: "/srv/../etc/duka" }],
  [{ ...plain, dataDir: "/srv/%h" }],
  [{ ...plain, envFile: "/tmp/duka.env" }],
])("%j is refused, and nothing is done", async (options) => {
  using machine = new ScratchMachine();

  const error = await install(options, machine.place()).catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(UsageFault);
  expect([machine.printed, machine.changes]).toEqual([[], []]);
});

test("a domain in letters beyond ASCII is written as certificates have it", async () => {
  using machine = new ScratchMachine();

  await install({ ...plain, domain: "bücher.example" }, machine.place());

  expect(settingsOn(machine).publicUrl).toBe("https://xn--bcher-kva.example");
});

test("on a machine without systemd nothing is installed", async () => {
  using machine = new ScratchMachine();
  machine.unfit = "This machine does not run systemd.";

  const error = await install(plain, machine.place()).catch(String);

  expect(error).toContain("does not run systemd");
});

describe("taking the service away", () => {
  test("leaves its data, its settings and its user", async () => {
    using machine = new ScratchMachine();
    await install(plain, machine.place());
    machine.changes.length = 0;

    await uninstall(machine.place());
    await uninstall(machine.place());

    expect(machine.changes).toEqual([
      "systemctl disable --now duka.service",
      "systemctl daemon-reload",
    ]);
    const places = [UNIT, PROGRAM, SETTINGS, "var/lib/duka"];
    expect(places.map((path) => existsSync(machine.path(path)))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});
