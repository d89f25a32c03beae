// Runs the programs where this machine can, as the proof that they are what they are named.

import { existsSync, readFileSync } from "node:fs";

import { ReleaseFault, run } from "./command.ts";
import type { Libc } from "./libc.ts";
import type { Program, Target } from "./programs.ts";

/** What a program for musl loads; Debian's package of musl has the first alone. */
const MUSL_FILES = ["/lib/ld-musl-x86_64.so.1", "/usr/lib/libstdc++.so.6"];
const EMULATOR = "qemu-aarch64-static";
/** The load command of a Mach-O file that names its signature. */
const CODE_SIGNATURE = 0x1d;
const MACH_HEADER_BYTES = 32;

/** Words for what was proved of a program. Throws if it is not the program that it should be. */
export function proofOf(
  { target, file }: Program,
  version: string,
  libcs: readonly Libc[],
): string {
  if (target.startsWith("darwin")) return proofOfSignature(target, file);
  const command = commandFor(target, libcs);
  if (command === null) return "built, not run: this machine has nothing that runs it";
  const printed = run([...command, file, "--version"]);
  if (!printed.startsWith(`${version} (`))
    throw new ReleaseFault(`The program for ${target} calls itself ${printed.trim()}.`);
  return command.length === 0 ? "run here" : `run here by ${EMULATOR}`;
}

/** What stands before the program for it to run here; null if it cannot. */
function commandFor(target: Target, libcs: readonly Libc[]): readonly string[] | null {
  const host = `${process.platform}-${process.arch}`;
  if (target === host || (target === "linux-x64-baseline" && host === "linux-x64")) return [];
  if (target === "linux-x64-musl") return MUSL_FILES.every((one) => existsSync(one)) ? [] : null;
  const libc = libcs.find(({ machine }) => machine === "arm64");
  if (target !== "linux-arm64" || libc === undefined || Bun.which(EMULATOR) === null) return null;
  return [EMULATOR, "-L", libc.root];
}

/** macOS runs no program of arm64 without a signature. */
function proofOfSignature(target: Target, file: string): string {
  const bytes = readFileSync(file);
  let at = MACH_HEADER_BYTES;
  for (let left = bytes.readUInt32LE(16); left > 0; left -= 1) {
    if (bytes.readUInt32LE(at) === CODE_SIGNATURE) return "built and signed ad hoc, not run";
    at += bytes.readUInt32LE(at + 4);
  }
  throw new ReleaseFault(`The program for ${target} has no signature.`);
}
