// A Duka on a disk that can be filled: a tmpfs in a mount namespace of its own, or where that is forbidden, a
// size limit of the engine.

import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openRunningDuka, program, type RunningDuka } from "../support/running-duka.ts";

/** Space for a few minutes of a crowd, bytes. */
const DISK_BYTES = 268_435_456;
const BALLAST = "ballast";

export type DiskKind = "a tmpfs of its own" | "a limit of the engine";

export interface SmallDisk extends AsyncDisposable {
  readonly kind: DiskKind;
  readonly duka: RunningDuka;
  /** The command that starts Duka where it sees this disk. */
  readonly program: readonly string[];
  /** Fills the disk except for this many bytes, which a limit of the engine ignores. */
  fill(leftBytes: number): void;
  makeRoom(): void;
}

/** Mounts a tmpfs over the directory, then executes the program that follows. */
const MOUNT = 'mount -t tmpfs -o "size=$1,mode=700" duka "$2" && shift 2 && exec "$@"';

function onTmpfs(directory: string, served: readonly string[]): string[] {
  const size = String(DISK_BYTES);
  return ["unshare", "--map-root-user", "--mount", "sh", "-c", MOUNT, "sh", size, directory].concat(
    served,
  );
}

/** Whether this machine lets users mount in their own namespace. */
export function allowsMounts(folder: string): boolean {
  const directory = join(folder, "probe");
  mkdirSync(directory);
  const { exitCode } = Bun.spawnSync(onTmpfs(directory, ["true"]));
  return exitCode === 0;
}

/** Serves a shop in the folder, with its data directory on a disk of this kind. */
export function serveOnSmallDisk(folder: string, kind: DiskKind): Promise<SmallDisk> {
  return kind === "a tmpfs of its own" ? serveOnTmpfs(folder) : serveWithinLimit(folder);
}

async function serveOnTmpfs(folder: string): Promise<SmallDisk> {
  const directory = join(folder, "data");
  mkdirSync(directory);
  const served = onTmpfs(directory, [...program, "serve"]);
  // The test fills the disk to the last byte, with a test key.
  const settings = { DUKA_DISK_RESERVE: "0" };
  const duka = await openRunningDuka({ folder, program: served, settings }, []);
  // The mount as seen from outside of the namespace.
  const seen = `/proc/${duka.id}/root${directory}`;
  const ballast = join(seen, BALLAST);
  const enter = ["nsenter", "--user", "--preserve-credentials", "--mount", "--target"];
  return {
    kind: "a tmpfs of its own",
    duka,
    program: [...enter, String(duka.id), ...program],
    fill: (leftBytes) => {
      const { bavail, bsize } = statfsSync(seen);
      writeBallast(ballast, Math.max(0, bavail * bsize - leftBytes));
    },
    makeRoom: () => rmSync(ballast),
    [Symbol.asyncDispose]: () => duka[Symbol.asyncDispose](),
  };
}

/** Writes as much as fits: the shop may take the last bytes first. */
function writeBallast(path: string, bytes: number): void {
  try {
    writeFileSync(path, Buffer.alloc(bytes, 1));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
}

async function serveWithinLimit(folder: string): Promise<SmallDisk> {
  const script = join(import.meta.dir, "serve-within-limit.ts");
  const served = [process.execPath, script, join(folder, "data")];
  const duka = await openRunningDuka({ folder, program: served }, []);
  return {
    kind: "a limit of the engine",
    duka,
    program,
    fill: () => duka.signal("SIGUSR2"),
    makeRoom: () => duka.signal("SIGHUP"),
    [Symbol.asyncDispose]: () => duka[Symbol.asyncDispose](),
  };
}
