// The unit of the service, by systemd's own judgement. The analysis reads files and needs no running systemd.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";

import { unitFor } from "#cli/install/unit.ts";

import { openRunningDuka, program, runDuka } from "../../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";

setDefaultTimeout(60_000);

/** In tenths: 2.0 is what systemd calls OK. */
const EXPOSURE_MAX = 20;

let folder: ScratchFolder;

beforeEach(() => {
  folder = openScratchFolder();
});

afterEach(() => folder[Symbol.dispose]());

function analyze(...args: readonly string[]) {
  const { success, stdout, stderr } = Bun.spawnSync(["systemd-analyze", "--no-pager", ...args]);
  return { success, printed: `${stdout.toString()}${stderr.toString()}` };
}

/** The unit as a file, of a program that is here. */
async function unitFile(user: string, directory: string): Promise<string> {
  const file = folder.file("duka.service");
  await Bun.write(file, unitFor(user, directory).replace("/usr/local/bin/duka", process.execPath));
  return file;
}

test.each([
  ["duka", "/var/lib/duka"],
  ["shop", "/srv/shop"],
])(
  "as %s with data in %s it has no fault, and little of the machine is open",
  async (user, directory) => {
    const file = await unitFile(user, directory);

    const verified = analyze("verify", file);
    const exposed = analyze("security", "--offline=true", `--threshold=${EXPOSURE_MAX}`, file);

    expect(verified).toEqual({ success: true, printed: "" });
    expect(exposed.success).toBeTrue();
  },
);

/** The system calls of a set, those of the sets within it included. */
function callsOf(set: string, sets: ReadonlyMap<string, readonly string[]>): string[] {
  return (sets.get(set) ?? []).flatMap((name) =>
    name.startsWith("@") ? callsOf(name, sets) : [name],
  );
}

function callsAllowedByTheUnit(): ReadonlySet<string> {
  const sets = new Map<string, string[]>();
  let open: string[] = [];
  for (const line of Bun.stripANSI(analyze("syscall-filter").printed).split("\n")) {
    if (line.startsWith("@")) sets.set(line.trim(), (open = []));
    else if (/^ +[@a-z]/.test(line)) open.push(line.trim());
  }
  const allowed = new Set<string>();
  const lines = unitFor("duka", "/srv/duka").matchAll(/^SystemCallFilter=(~?)(.*)$/gm);
  for (const [, without = "", names = ""] of lines) {
    const calls = names
      .split(" ")
      .flatMap((name) => (name.startsWith("@") ? callsOf(name, sets) : [name]));
    for (const call of calls) {
      if (without === "") allowed.add(call);
      else allowed.delete(call);
    }
  }
  return new Set([...allowed, ...callsOf("@default", sets)]);
}

test("its filter lets every system call of a shop and of its backup through", async () => {
  const traces = ["serve", "backup"].map((name) => folder.file(name));
  const traced = traces.map((file) => ["strace", "-f", "-qq", "-e", "signal=none", "-o", file]);
  const settings = { DUKA_DATA_DIR: folder.file("data") };
  const duka = await openRunningDuka({
    folder: folder.path,
    settings,
    program: [...(traced[0] ?? []), ...program],
  });
  // Signals go to the program itself: strace does not pass them on, and leaves it running.
  const servingId = Number(await Bun.file(folder.file("data/duka.pid")).text());
  try {
    await duka.request("POST", "/v2/test/seed");
    const args = { folder: folder.path, settings, program: [...(traced[1] ?? []), ...program] };
    expect((await runDuka(["backup"], args)).code).toBe(0);
  } finally {
    process.kill(servingId, "SIGTERM");
    await duka.ended();
  }

  const texts = await Promise.all(traces.map((file) => Bun.file(file).text()));
  const called = new Set(
    texts.flatMap((text) => [...text.matchAll(/^\d+ +(\w+)\(/gm)].map(([, name = ""]) => name)),
  );
  // SQLite gives new files to the owner of their folder, as root alone.
  const others = [...called].filter(
    (name) => name !== "fchown" && !callsAllowedByTheUnit().has(name),
  );
  expect(called.size).toBeGreaterThan(40);
  expect(others).toEqual([]);
});
