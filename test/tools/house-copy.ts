// A copy of the house in a temporary folder, in which lines are changed and tests run. The house itself is only read.

import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Engine = "sqlite" | "postgres";

/** What one run of tests came to. */
export interface TestRun {
  readonly hasPassed: boolean;
  /** A test that loops is ended: no timeout of a test can interrupt it. */
  readonly isEndedBySilence: boolean;
  readonly failures: readonly { readonly file: string; readonly test: string }[];
}

/** As in the scripts of package.json. */
const ENGINES: Record<Engine, { variables: Record<string, string>; options: readonly string[] }> = {
  sqlite: { variables: { BUN_JSC_useFTLJIT: "0" }, options: ["--timeout", "30000"] },
  postgres: { variables: { STORE: "postgres" }, options: ["--timeout", "120000"] },
};
const NOT_RUN: Record<Engine, RegExp> = {
  sqlite: /\.(?:postgres|browser|fault|tools|program|program\.sqlite)\.test\.ts$/,
  postgres: /\.(?:sqlite|browser|fault|tools)\.test\.ts$/,
};
/** Ten times the longest pause of a run on a machine that is busy. */
const SILENCE_MS = 300_000;

export class HouseCopy implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), "duka-mutants-"));
  readonly #house: string;
  readonly #engine: Engine;

  constructor(house: string, engine: Engine) {
    this.#house = house;
    this.#engine = engine;
    const git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const listed = Bun.spawnSync(git, { cwd: house }).stdout.toString().split("\0");
    for (const path of listed.filter((one) => one !== "" && existsSync(join(house, one)))) {
      cpSync(join(house, path), join(this.#root, path));
    }
    symlinkSync(join(house, "node_modules"), join(this.#root, "node_modules"));
  }

  /** The files of the copy that match, in the order of their names. */
  files(pattern: string): string[] {
    return [...new Bun.Glob(pattern).scanSync({ cwd: this.#root })].toSorted();
  }

  /** The tests that the engine runs. */
  testFiles(): string[] {
    return this.files("test/**/*.test.ts").filter(
      (path) => !path.includes("node_modules/") && !NOT_RUN[this.#engine].test(path),
    );
  }

  text(path: string): Promise<string> {
    return Bun.file(join(this.#root, path)).text();
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.#root, path), text);
  }

  /** Changes the copy by a patch; false if its lines are no longer there. */
  apply(patchFile: string): boolean {
    const git = ["git", "apply", "--whitespace=nowarn", patchFile];
    return Bun.spawnSync(git, { cwd: this.#root, stderr: "inherit" }).exitCode === 0;
  }

  restore(paths: readonly string[]): void {
    for (const path of paths) cpSync(join(this.#house, path), join(this.#root, path));
  }

  /** Writes the next migration of both engines. */
  async migrate(name: string): Promise<void> {
    const command = [process.execPath, "run", "drizzle/generate.ts", name];
    const child = Bun.spawn(command, { cwd: this.#root, stdout: "ignore", stderr: "pipe" });
    const said = await child.stderr.text();
    if ((await child.exited) !== 0) throw new Error(said);
  }

  /** The files in which the compiler finds an error. */
  async faultyFiles(): Promise<ReadonlySet<string>> {
    const child = Bun.spawn([process.execPath, "check", "--no-script"], {
      cwd: this.#root,
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    const found = plain(out + err).matchAll(/((?:src|test)\/[\w./-]+\.ts)[:(]\d+/g);
    const files = new Set([...found].map(([, path = ""]) => path));
    if ((await child.exited) !== 0 && files.size === 0) throw new Error(out + err);
    return files;
  }

  /** Runs these tests, until one fails if `bail` says so. */
  async run(files: readonly string[], { bail }: { readonly bail: boolean }): Promise<TestRun> {
    const { variables, options } = ENGINES[this.#engine];
    const command = [process.execPath, "test", "--no-orphans", "--parallel", "--no-isolate"];
    command.push(...options, "--path-ignore-patterns", "");
    if (bail) command.push("--bail");
    command.push(...files.map((file) => `./${file}`));
    const child = Bun.spawn(command, {
      cwd: this.#root,
      env: { ...process.env, MIMALLOC_PURGE_DELAY: "-1", ...variables },
      stdout: "ignore",
      stderr: "pipe",
    });
    let isEndedBySilence = false;
    let text = "";
    const end = () => {
      isEndedBySilence = true;
      child.kill();
    };
    let timer = setTimeout(end, SILENCE_MS);
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) {
      text += decoder.decode(chunk, { stream: true });
      clearTimeout(timer);
      timer = setTimeout(end, SILENCE_MS);
    }
    const hasPassed = (await child.exited) === 0;
    clearTimeout(timer);
    return { hasPassed, isEndedBySilence, failures: failuresIn(text) };
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** What failed, each with the last file that was named above it. */
function failuresIn(output: string): { file: string; test: string }[] {
  let file = "";
  return plain(output)
    .split("\n")
    .flatMap((line) => {
      file = /^(test\/\S+\.ts):$/.exec(line)?.[1] ?? file;
      const failed = /^\(fail\) (.*?)(?: \[[\d.]+m?s\])?$|^(# Unhandled error)/.exec(line);
      return failed === null ? [] : [{ file, test: failed[1] ?? "an error between tests" }];
    });
}

function plain(output: string): string {
  return Bun.stripANSI(output);
}
