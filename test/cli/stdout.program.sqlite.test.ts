// What a command prints is written, or the command says why not: on a full disk, on a stdout that is closed, and for a
// reader that has gone.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { openRunningDuka, program, runDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

const FULL = /^stdout cannot be written: no space is left on its device \(ENOSPC\)\.$/m;
const CLOSED = /^stdout cannot be written: it is closed \(EBADF\)\.$/m;

/** Commands that print and end; those that make keys have tests of their own. */
const printing = [
  "--help",
  "help keys create",
  "--version",
  "analytics rebuild",
  "audit",
  "audit --json",
  "backup",
  "backup list",
  "books rebuild",
  "check",
  "check --json",
  "client",
  "client --example",
  "client --js",
  "completion bash",
  "complete duka",
  "config",
  "config --json",
  "doctor",
  "doctor --json",
  "export customers --mode test",
  "export orders --mode test",
  "export products --mode test",
  "export archive --mode test --to {new}",
  "gateways list",
  "gateways list --json",
  "guide",
  "guide testing",
  "health",
  "keys list",
  "keys list --json",
  "keys revoke --all --mode live",
  "licenses",
  "migrate",
  "openapi",
  "people link",
  "people list",
  "people list --json",
  "sandbox list",
  "sandbox list --json",
  "sandbox suite --js",
  "sandbox suite --py",
  "version",
  "version --json",
];

/** Commands that have tests of their own, here or for their faults, or that need what is not here. */
const others = [
  "db",
  "import",
  "install",
  "listen",
  "mock",
  "restore",
  "secrets",
  "serve",
  "trigger",
];
const machine = ["proxy", "uninstall", "upgrade"];

let scratch: ScratchFolder;

beforeAll(async () => {
  scratch = openScratchFolder();
  await using _ = await openRunningDuka({ folder: scratch.path });
});

afterAll(() => scratch[Symbol.dispose]());

/** Runs a command whose stdout the shell leads elsewhere. */
function runInto(redirection: string, args: readonly string[], folder = scratch.path) {
  const line = `"$@" ${redirection}; exit \${PIPESTATUS[0]}`;
  return runDuka(args, { folder, program: ["bash", "-c", line, "bash", ...program] });
}

async function keyStates(): Promise<string[]> {
  const { stdout } = await runDuka(["keys", "list", "--json"], { folder: scratch.path });
  const keys: { name: string; revoked_at: string | null }[] = JSON.parse(stdout);
  return keys
    .filter(({ name }) => name !== "First key")
    .map(({ revoked_at }) => (revoked_at === null ? "valid" : "revoked"));
}

test("every command is among those that are tried", async () => {
  const { stdout } = await runDuka(["complete", "duka "], { folder: scratch.path });
  const known = stdout
    .trim()
    .split("\n")
    .map((line) => line.split("\t")[0] ?? "");

  const tried = printing.map((line) => line.split(" ")[0] ?? "");
  const missing = known.filter((name) => ![...tried, ...others, ...machine].includes(name));
  expect(missing).toEqual([]);
});

describe.each(printing)("%s", (line) => {
  const argsOf = () => line.replace("{new}", `new-${crypto.randomUUID()}`).split(" ");

  test("says that the disk is full", async () => {
    const ended = await runInto(">/dev/full", argsOf());

    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toMatch(FULL);
  });

  test("says that stdout is closed", async () => {
    const ended = await runInto(">&-", argsOf());

    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toMatch(CLOSED);
  });
});

test.each(["openapi", "guide", "licenses", "--help", "export products --mode test"])(
  "%s is silent about a reader that has gone",
  async (line) => {
    const ended = await runInto("| true", line.split(" "));

    expect(ended).toEqual({ code: 0, stdout: "", stderr: "" });
  },
);

test("a slow reader gets the whole", async () => {
  const whole = await runDuka(["openapi"], { folder: scratch.path });

  const slow = await runInto("| (sleep 0.3; cat)", ["openapi"]);

  expect(slow.stdout).toBe(whole.stdout);
});

test("a pipe that does not block is waited for", async () => {
  const script = `
import fcntl, os, subprocess, sys, time
read, write = os.pipe()
fcntl.fcntl(write, fcntl.F_SETFL, fcntl.fcntl(write, fcntl.F_GETFL) | os.O_NONBLOCK)
child = subprocess.Popen(sys.argv[1:], stdout=write)
os.close(write)
time.sleep(0.3)
count = sum(len(part) for part in iter(lambda: os.read(read, 65536), b""))
print(count, child.wait())
`;
  const whole = await runDuka(["openapi"], { folder: scratch.path });

  const command = ["python3", "-c", script, ...program];
  const ended = await runDuka(["openapi"], { folder: scratch.path, program: command });

  expect(ended.stdout).toBe(`${Buffer.byteLength(whole.stdout)} 0\n`);
});

describe("a key that could not be shown is revoked", () => {
  test.each([
    [">/dev/full", 1, /ENOSPC\)\. The new key key_\w+ was revoked\.\n$/],
    [">&-", 1, /EBADF\)\. The new key key_\w+ was revoked\.\n$/],
    ["| true", 0, /^$/],
  ] as const)("with its stdout led into %s", async (redirection, code, told) => {
    const before = await keyStates();

    const ended = await runInto(redirection, ["keys", "create", "--mode", "test"]);

    expect([ended.code, ended.stdout]).toEqual([code, ""]);
    expect(ended.stderr).toMatch(told);
    expect(await keyStates()).toEqual(["revoked", ...before]);
  });

  test("also one that replaces another, which stays valid until its end", async () => {
    await runDuka(["keys", "create", "--mode", "test"], { folder: scratch.path });
    const { stdout } = await runDuka(["keys", "list", "--json"], { folder: scratch.path });
    const [newest]: { id: string }[] = JSON.parse(stdout);

    const ended = await runInto(">/dev/full", ["keys", "rotate", newest?.id ?? ""]);

    expect(ended.code).toBe(1);
    expect((await keyStates()).slice(0, 2)).toEqual(["revoked", "valid"]);
  });

  test("also the first one of a shop, whose server does not run on", async () => {
    using fresh = openScratchFolder();

    const ended = await runInto(">/dev/full", ["serve"], fresh.path);

    const { stdout } = await runDuka(["keys", "list", "--all"], { folder: fresh.path });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(FULL);
    expect(stdout).toMatch(/First key .*revoked/);
  });
});

test("a sandbox that could not say where it is does not run on", async () => {
  const ended = await runInto(">/dev/full", ["sandbox", "--json"]);

  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(FULL);
});

test("a listener ends when the disk is full", async () => {
  await using _ = await openRunningDuka({ folder: scratch.path });

  const ended = await runInto(">/dev/full", ["listen"]);

  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(FULL);
});
