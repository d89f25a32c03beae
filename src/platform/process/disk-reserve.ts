// Keeps a part of the disk for what must not stop. Invariant: below the reserve, work that can wait is
// refused, so that live orders still find room.

import { existsSync, statfsSync } from "node:fs";

import { monotonicMs, SECOND_MS } from "#kernel/time.ts";

const MIB = 1_048_576;
const RESERVE_BYTES_MAX = 1_024 * MIB;
const RESERVE_SHARE = 0.05;
/** A figure is used for this long: a second of writes is far smaller than a reserve. */
const READ_MS = SECOND_MS;

/** The room of a disk, in bytes. */
export interface DiskRoom {
  readonly free: number;
  readonly total: number;
}

export interface ReserveTerms {
  /** In MiB; null takes the smaller of 1 GiB and 5 % of the disk, 0 keeps none. */
  readonly reserveMib: number | null;
  /** Reads the disk of the databases; null if their directory is gone, when the databases refuse writes. */
  readonly read: () => DiskRoom | null;
}

/** Tells whether the disk has more than its reserve, at most a second ago. */
export function diskReserve({ reserveMib, read }: ReserveTerms): () => boolean {
  let isEnough = true;
  let readAtMs = -Infinity;
  return () => {
    const nowMs = monotonicMs();
    if (nowMs - readAtMs < READ_MS) return isEnough;
    readAtMs = nowMs;
    const room = read();
    if (room === null) return isEnough;
    isEnough = room.free >= reserveOf(room, reserveMib);
    return isEnough;
  };
}

/** The bytes that the disk keeps free, by the settings. */
export function reserveOf({ total }: DiskRoom, reserveMib: number | null): number {
  if (reserveMib !== null) return reserveMib * MIB;
  return Math.min(RESERVE_BYTES_MAX, total * RESERVE_SHARE);
}

/** The room of the disk that has the directory; what only root may use is not counted as free. Null if it is gone. */
export function diskRoomOf(directory: string): DiskRoom | null {
  if (!existsSync(directory)) return null;
  const { bavail, blocks, bsize } = statfsSync(directory);
  return { free: bavail * bsize, total: blocks * bsize };
}
