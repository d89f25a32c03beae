// A copy of the repository as the commit of a release: with its tag, and with a key that signs it.

import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(import.meta.dir, "../..");
/** The target that this machine runs. */
export const target = `${process.platform}-${process.arch}`;

/** What a command came to. */
interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. */
export async function runIn(
  cwd: string,
  command: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { PATH = "", HOME = "" } = process.env;
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH, HOME, ...settings },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, stdout, stderr };
}

/** What a command printed. Throws if it failed. */
export async function printedIn(cwd: string, command: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runIn(cwd, command);
  if (code !== 0) throw new Error(`${command.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

/** A repository in a folder of its own, on a disk. */
export class ReleaseCopy implements Disposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** The present state of the source as one commit, with the tag and its key, and without packages. */
  static async open(): Promise<ReleaseCopy> {
    const copy = new ReleaseCopy(mkdtempSync(join(tmpdir(), "duka-release-test-")));
    const git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const listed = (await printedIn(root, git)).split("\0");
    for (const path of listed.filter((one) => one !== "" && existsSync(join(root, one)))) {
      mkdirSync(dirname(join(copy.path, path)), { recursive: true });
      cpSync(join(root, path), join(copy.path, path));
    }
    await printedIn(copy.#folder, ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key"]);
    const key = await Bun.file(`${copy.key}.pub`).text();
    appendFileSync(
      join(copy.path, "release/allowed_signers"),
      `duka namespaces="duka-release" ${key}`,
    );
    await copy.run("git", "init", "-q");
    await copy.commit();
    return copy;
  }

  /** The repository. */
  get path(): string {
    return join(this.#folder, "duka");
  }

  /** The file of the private key, which is outside of the repository. */
  get key(): string {
    return join(this.#folder, "key");
  }

  /** A clone of this copy, with its tag, and with the same key. */
  async clone(): Promise<ReleaseCopy> {
    const clone = new ReleaseCopy(mkdtempSync(join(tmpdir(), "duka-release-test-")));
    for (const name of ["key", "key.pub"])
      cpSync(join(this.#folder, name), `${clone.#folder}/${name}`);
    await printedIn(clone.#folder, ["git", "clone", "-q", this.path, "duka"]);
    return clone;
  }

  /** Gives the copy the packages, linked where they are on the same disk. */
  async addPackages(): Promise<void> {
    const packages = join(root, "node_modules");
    const linked = await runIn(this.path, ["cp", "-al", packages, "."]);
    if (linked.code === 0) return;
    rmSync(join(this.path, "node_modules"), { recursive: true, force: true });
    await this.run("cp", "-a", packages, ".");
  }

  /** Commits what is changed, and moves the tag there. */
  async commit(): Promise<void> {
    await this.run("git", "add", ".");
    const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
    await this.run("git", ...author, "commit", "-q", "-m", "Release");
    await this.run("git", "tag", "-f", "v0.2.0");
  }

  /** Runs a command in the repository; throws if it failed. */
  run(...command: readonly string[]): Promise<string> {
    return printedIn(this.path, command);
  }

  /** Runs `npm run release` for the target of this machine. */
  release(settings: Readonly<Record<string, string>> = { DUKA_RELEASE_KEY: this.key }) {
    const command = [process.execPath, "run", "release/release.ts", "--only", target];
    return runIn(this.path, command, settings);
  }

  /** The path of a file of the release. */
  made(name = ""): string {
    return join(this.path, "dist/release", name);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
