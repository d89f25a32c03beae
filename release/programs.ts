// The program of each target, built on this machine: the same bytecode in the runtime of the target, which comes from npm
// and is held to the hash of the lock file.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { ReleaseFault, root, run } from "./command.ts";

/** The targets that are released. On Windows nothing proves that locks, sockets and modes of files hold. */
export const targets = [
  "linux-x64",
  "linux-x64-baseline",
  "linux-arm64",
  "linux-x64-musl",
  "darwin-arm64",
  "darwin-x64",
] as const;

export type Target = (typeof targets)[number];

/** A program and the runtime in it. */
export interface Program {
  readonly target: Target;
  /** The file, which is named `duka`: its name is part of its bytes. */
  readonly file: string;
  readonly runtime: Runtime;
}

/** A package of npm with Bun for one target; its integrity is `sha512-` and base64, as in a lock file. */
type Runtime = Readonly<Record<"name" | "version" | "integrity", string>>;

const OUTFILE = "--outfile dist/duka";

/** Builds the program of a target in a folder of its own below `folder`. */
export async function buildProgram(target: Target, folder: string): Promise<Program> {
  const place = join(folder, target);
  mkdirSync(place, { recursive: true });
  const runtime = await runtimeOf(target);
  unpack(runtime, place);
  const file = join(place, "duka");
  const into = `--target=bun-${target} --compile-executable-path=${join(place, "bun")}`;
  run(["sh", "-c", (await buildLine()).replace(OUTFILE, `${into} --outfile ${file}`)]);
  return { target, file, runtime };
}

/** The command that `npm run build` runs, without the removal of maps before it. */
async function buildLine(): Promise<string> {
  const { scripts }: { scripts: { build: string } } = await jsonAt("package.json");
  const line = scripts.build.slice(scripts.build.indexOf("bun build"));
  if (!line.includes(OUTFILE)) throw new Error(`The script "build" has no ${OUTFILE}.`);
  return line.replace("bun", process.execPath);
}

async function runtimeOf(target: Target): Promise<Runtime> {
  const name = `@oven/bun-${target.replace("arm64", "aarch64")}`;
  const { packages } = await jsonAt("package-lock.json");
  const others = await jsonAt("release/runtimes.json");
  return { name, ...(packages[`node_modules/${name}`] ?? others[name]) };
}

/** Takes `bun` out of the package, if the package is the one of the lock file. */
function unpack({ name, version, integrity }: Runtime, place: string): void {
  const packed = run(["npm", "pack", "--silent", `${name}@${version}`], { cwd: place }).trim();
  const bytes = readFileSync(join(place, packed));
  const found = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  if (found !== integrity) throw new ReleaseFault(`${name} is not the package of the lock file.`);
  run(["tar", "xzf", packed, "--strip-components=2", "package/bin/bun"], { cwd: place });
}

function jsonAt(path: string) {
  return Bun.file(join(root, path)).json();
}
