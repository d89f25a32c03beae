// Debian's C library, for images and for the emulator of another machine. It is found by apt with lists and a cache of its
// own, so that the packages of this machine stay as they are.

import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { run, sha256 } from "./command.ts";
import type { Target } from "./programs.ts";

/** A machine, as Debian and images name it. */
export type Machine = "amd64" | "arm64";

/** The programs that go into an image, and its machine. */
export const imageMachines: Partial<Record<Target, Machine>> = {
  "linux-x64": "amd64",
  "linux-arm64": "arm64",
};

/** The package, unpacked. */
export interface Libc {
  readonly machine: Machine;
  readonly version: string;
  /** The hash of the package. */
  readonly sha256: string;
  /** The folder in which it is unpacked. */
  readonly root: string;
}

/** Downloads and unpacks the package `libc6` of the release of Debian that this machine has, in a folder. */
export function fetchLibc(machine: Machine, folder: string): Libc {
  const place = join(folder, `libc-${machine}`);
  const root = join(place, "root");
  for (const part of ["state/lists/partial", "cache/archives/partial", "root"])
    mkdirSync(join(place, part), { recursive: true });
  const settings = {
    "Dir::State": join(place, "state"),
    "Dir::State::status": "/dev/null",
    "Dir::Cache": join(place, "cache"),
    "APT::Architecture": machine,
    "APT::Architectures": machine,
    "APT::Sandbox::User": "root",
    "Acquire::Languages": "none",
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  run(["apt-get", ...options, "-qq", "update"], { cwd: place });
  run(["apt-get", ...options, "-qq", "download", `libc6:${machine}`], { cwd: place });
  const file = readdirSync(place).find((name) => name.endsWith(".deb"));
  if (file === undefined) throw new Error("apt-get downloaded no package.");
  run(["dpkg-deb", "-x", file, root], { cwd: place });
  const version = run(["dpkg-deb", "-f", file, "Version"], { cwd: place }).trim();
  return { machine, version, sha256: sha256(readFileSync(join(place, file))), root };
}
