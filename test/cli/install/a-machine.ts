// A machine in a folder: its users, systemd and the server are played, its files are real.

import { existsSync, readFileSync, writeFileSync } from "node:fs";

import type { InstallPlace } from "#cli/install/install.ts";
import type { Machine } from "#cli/install/machine.ts";

import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";

const done = { isDone: true, stdout: "", stderr: "" };
const failed = { isDone: false, stdout: "", stderr: "" };

/** What is installed, and what the machine was asked to do. */
export class ScratchMachine implements Machine, Disposable {
  readonly #folder: ScratchFolder = openScratchFolder();
  /** The lines that were printed. */
  readonly printed: string[] = [];
  /** What changed the machine, in order. */
  readonly changes: string[] = [];
  readonly users = new Set<string>();
  unfit: string | null = null;
  people: readonly unknown[] = [];
  /** The second in which the service was started; null while it is stopped. */
  startedAt: number | null = null;

  get root(): string {
    return this.#folder.path;
  }

  get executable(): string {
    const path = this.#folder.file("downloaded");
    if (!existsSync(path)) writeFileSync(path, "program 1");
    return path;
  }

  place(dryRun = false): InstallPlace {
    return { machine: this, print: (line) => this.printed.push(line), dryRun };
  }

  file(path: string): string {
    return readFileSync(this.#folder.file(path), "utf8");
  }

  path(path: string): string {
    return this.#folder.file(path);
  }

  /** The words of the steps since the last call, by their first letter: did, already, would. */
  words(): string[] {
    const steps = this.printed.map((line) => /^(did|already|would) /.exec(line)?.[1] ?? []);
    this.printed.length = 0;
    return steps.flat();
  }

  run(command: readonly string[]) {
    const [program = "", ...args] = command;
    const answer = this.#answer(program, args);
    if (answer === null) {
      this.changes.push(command.join(" ").replaceAll(this.root, ""));
      return done;
    }
    return answer;
  }

  ask(_: string, command: string): Promise<unknown> {
    const answers: Readonly<Record<string, unknown>> = {
      "server.address": this.startedAt === null ? undefined : { url: "http://127.0.0.1:4000" },
      "people.list": this.people,
      "people.link": { url: "http://localhost:4000/dashboard/door/TOKEN" },
    };
    return Promise.resolve(answers[command]);
  }

  /** What is only asked; a change is noted by the caller. */
  #answer(program: string, args: readonly string[]) {
    const last = args.at(-1) ?? "";
    if (program === "getent") return this.users.has(last) ? this.#user(last) : failed;
    if (program === "useradd") this.users.add(last);
    if (program !== "systemctl") return null;
    return this.#systemd(args[0] ?? "");
  }

  #systemd(asked: string) {
    if (asked === "restart") this.startedAt = Math.ceil(performance.timeOrigin / 1000) + 86_400;
    if (asked.startsWith("is-")) return this.startedAt === null ? failed : done;
    return asked === "show" ? { ...done, stdout: `@${this.startedAt}\n` } : null;
  }

  /** The one who runs the test, who alone may be given files. */
  #user(name: string) {
    const stdout = `${name}:x:${process.getuid?.()}:${process.getgid?.()}::/var/lib/duka:/bin/false\n`;
    return { ...done, stdout };
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}
