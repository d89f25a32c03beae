// Copies of backups while the program is killed, the bucket goes away or the disk is full, at each of their steps. A copy
// that is listed is whole, and what was not copied is copied later.

import { Database as SqliteFile } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename } from "node:path";

import { environmentOf, openRunningDuka, program, runDuka } from "../support/running-duka.ts";
import { openS3Server, type S3Server } from "../support/s3-server.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { allowsMounts } from "./small-disk.ts";

setDefaultTimeout(240_000);

/** In hexadecimal: compressed it is more than one part of an upload, and two files of it more than a small disk. */
const BALLAST = 10 * 1_048_576;
const AT_ONCE = 4;

/** A shop with a backup, of which no bucket has anything. */
let shop: ScratchFolder;
let backup = "";
/** The requests of an upload and of a restore that nothing disturbs. */
let uploading: readonly string[] = [];
let restoring: readonly string[] = [];

beforeAll(async () => {
  shop = openScratchFolder();
  {
    await using server = await openRunningDuka({ folder: shop.path });
    await server.end("SIGTERM");
  }
  {
    using file = new SqliteFile(shop.file("data/live.sqlite"));
    const answer = "INSERT INTO stored_answers VALUES ('k', 'l', 'f', 200, '', ?, NULL, 0, 1)";
    file.query(answer).run(randomBytes(BALLAST).toString("hex"));
  }
  backup = basename((await runDuka(["backup"], { folder: shop.path })).stdout.trim());
  await using s3 = openS3Server();
  expect(await upload(s3)).toBe(0);
  uploading = s3.asked.splice(0);
  expect((await restore(s3)).code).toBe(0);
  restoring = s3.asked.splice(0);
});

afterAll(() => shop[Symbol.dispose]());

function settingsOf(s3: S3Server, directory = "data") {
  return { ...s3.copySettings, DUKA_DATA_DIR: directory };
}

async function upload(s3: S3Server): Promise<number> {
  const settings = settingsOf(s3);
  return (await runDuka(["backup", "upload"], { folder: shop.path, settings })).code;
}

/** Restores on an empty machine that has the key, and checks what is there then. */
async function restore(s3: S3Server, kill?: (program: Bun.Subprocess) => void) {
  using machine = openScratchFolder();
  mkdirSync(machine.file("data"), { mode: 0o700 });
  cpSync(shop.file("data/secret.key"), machine.file("data/secret.key"));
  const terms = { folder: machine.path, settings: settingsOf(s3) };
  if (kill !== undefined) await killed(["restore", `s3:${backup}`], terms, kill);
  const { code } = await runDuka(["restore", `s3:${backup}`], terms);
  return { code, checked: code === 0 ? (await runDuka(["check"], terms)).code : null };
}

/** Runs the command, which is killed meanwhile. */
async function killed(
  args: readonly string[],
  terms: { readonly folder: string; readonly settings: Readonly<Record<string, string>> },
  kill: (program: Bun.Subprocess) => void,
): Promise<void> {
  const child = Bun.spawn([...program, ...args], {
    cwd: terms.folder,
    env: await environmentOf(terms),
    stdout: "ignore",
    stderr: "ignore",
  });
  kill(child);
  expect(await child.exited).toBe(137);
}

/** Kills the program as its request of this number arrives. */
function atRequest(s3: S3Server, number: number) {
  return (child: Bun.Subprocess) => {
    s3.refuses = () => {
      if (s3.asked.length !== number + 1) return false;
      child.kill("SIGKILL");
      s3.refuses = null;
      return true;
    };
  };
}

async function listed(s3: S3Server): Promise<string[]> {
  const settings = settingsOf(s3);
  const { stdout } = await runDuka(["backup", "list", "--to", "s3:", "--json"], {
    folder: shop.path,
    settings,
  });
  return JSON.parse(stdout).map(({ path }: { path: string }) => path);
}

/** Runs the work for each step, on a bucket of its own. */
async function atEachStep(
  steps: readonly string[],
  work: (s3: S3Server, number: number, step: string) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < steps.length; from += AT_ONCE) {
    const some = steps.slice(from, from + AT_ONCE).map(async (step, index) => {
      await using s3 = openS3Server();
      await work(s3, from + index, step);
    });
    await Promise.all(some);
  }
}

test("an upload that is killed at any request leaves no copy, and the next one makes it", async () => {
  expect(uploading).toContain(`PUT ${backup}/live.sqlite.zst?partNumber=2`);

  await atEachStep(uploading, async (s3, number, step) => {
    const terms = { folder: shop.path, settings: settingsOf(s3) };
    await killed(["backup", "upload"], terms, atRequest(s3, number));
    const isWhole = step === `HEAD ${backup}/manifest.json`;
    expect(await listed(s3)).toEqual(isWhole ? [`s3:${backup}`] : []);

    expect(await upload(s3)).toBe(0);
    expect(await listed(s3)).toEqual([`s3:${backup}`]);
  });
});

test("a bucket that goes away at any request leaves the backup, with nothing of an upload, and gets it later", async () => {
  await atEachStep(uploading, async (s3, _, step) => {
    s3.refuses = (request) => request === step;

    expect(await upload(s3)).toBe(1);

    s3.refuses = null;
    expect(s3.uploads.size).toBe(0);
    expect(readdirSync(shop.file("data/backups"))).toEqual([backup]);
    expect(await upload(s3)).toBe(0);
    expect(await listed(s3)).toEqual([`s3:${backup}`]);
  });
});

test("a restore that is killed at any request is made by the next one", async () => {
  await atEachStep(restoring, async (s3, number) => {
    await upload(s3);
    s3.asked.splice(0);

    expect(await restore(s3, atRequest(s3, number))).toEqual({ code: 0, checked: 0 });
  });
});

const small = openScratchFolder();
const canMount = allowsMounts(small.path);
rmSync(small.path, { recursive: true });

test.skipIf(!canMount).each([1, 15, 30])(
  "a restore onto a disk of %d MiB, which is too small, leaves nothing",
  async (mebibytes) => {
    await using s3 = openS3Server();
    await upload(s3);
    using machine = openScratchFolder();
    mkdirSync(machine.file("data"));
    const script = `mount -t tmpfs -o size=${mebibytes}m,mode=700 duka data && cp "$1" data && shift && { "$@"; code=$?; ls data/backups; find data -name '*.sqlite'; exit $code; }`;
    const restored = Bun.spawn(
      ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh"].concat(
        shop.file("data/secret.key"),
        program,
        ["restore", `s3:${backup}`],
      ),
      {
        cwd: machine.path,
        env: await environmentOf({ folder: machine.path, settings: settingsOf(s3) }),
        stdout: "pipe",
        stderr: "pipe",
      },
    );

    expect(await restored.stdout.text()).toBe("");
    expect(await restored.stderr.text()).toContain("Cannot write to");
    expect(await restored.exited).toBe(1);
  },
);
