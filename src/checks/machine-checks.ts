// Checks of the machine: room on the disk, and the files that the server may have open.

import { existsSync } from "node:fs";

import { SECOND_MS } from "#kernel/time.ts";
import { reserveOf } from "#platform/process/disk-reserve.ts";

import { type Check, fail, ok, type Place, type Served, todo, unknown } from "./check.ts";

const GUIDE = "/guides/go-live#the-machine";
const GIB = 1_073_741_824;
/** Each client and each webhook that is being sent has one; what systemd gives a service is 1,024. */
const OPEN_FILES_MIN = 4_096;

export const diskSpace: Check<Place> = {
  name: "disk_space",
  area: "machine",
  href: GUIDE,
  look: ({ config: { diskReserveMib, dataDirectory }, servedAt, isWritable, readDisk }) => {
    const room = readDisk();
    if (room === null && servedAt === null) return unknown(`There is no ${dataDirectory}.`);
    if (room === null || !isWritable) {
      return fail(
        "Nothing can be written.",
        "See that the disk is there, has room and is not read-only.",
      );
    }
    const found = `${(room.free / GIB).toFixed(1)} GiB are free.`;
    if (room.free >= 2 * reserveOf(room, diskReserveMib)) return ok(found);
    return todo(
      `${found} That is less than twice the reserve, below which only live orders are taken.`,
      "Make room, or move the data directory to a larger disk.",
    );
  },
};

export const openFiles: Check<Served> = {
  name: "open_files",
  area: "machine",
  href: GUIDE,
  look: ({ openFilesMax }) => {
    if (openFilesMax === null)
      return unknown("This system does not say how many files may be open.");
    const found = `The server may have ${openFilesMax.toLocaleString("en")} files open.`;
    if (openFilesMax >= OPEN_FILES_MIN) return ok(found);
    return todo(found, "Set LimitNOFILE=65536 in its unit, or ulimit -n 65536 before it starts.");
  },
};

const CLOCK_MS_OK = 5 * SECOND_MS;
const CLOCK_MS_MAX = 30 * SECOND_MS;

export const clock: Check<Served> = {
  name: "clock",
  area: "machine",
  href: GUIDE,
  look: ({ skewMs }) => {
    if (skewMs === null) return unknown("No other server has told its time yet.");
    if (skewMs <= CLOCK_MS_OK) return ok("The clock agrees with those of other servers.");
    const found = `The clock is ${Math.round(skewMs / SECOND_MS)} seconds from those of other servers.`;
    const remedy = "Let the machine set its clock: systemd-timesyncd or chrony.";
    return skewMs <= CLOCK_MS_MAX ? todo(found, remedy) : fail(found, remedy);
  },
};

const SYNC_MS_MAX = 20;
/** No disk keeps a page in 30 µs: what is faster only says that it did. */
const SYNC_MS_MIN = 0.03;

export const diskSync: Check<Place> = {
  name: "disk_sync",
  area: "machine",
  href: GUIDE,
  look: async ({ config: { dataDirectory }, measureSyncs }) => {
    if (!existsSync(dataDirectory)) return unknown(`There is no ${dataDirectory}.`);
    const times = (await measureSyncs()).toSorted((one, other) => one - other);
    const median = times[Math.floor(times.length / 2)] ?? 0;
    const found = `The disk keeps a write in ${printed(median)}.`;
    if (median < SYNC_MS_MIN) {
      return todo(
        `${found} It may not keep what it acknowledges: a power cut would take sales with it.`,
        "Use a disk that waits until the data is safe, and no memory file system.",
      );
    }
    if (median <= SYNC_MS_MAX) return ok(found);
    return todo(`${found} Every order waits for that.`, "Use a local SSD.");
  },
};

function printed(ms: number): string {
  if (ms < 0.001) return "under 1 µs";
  return ms < 1 ? `${Math.round(ms * 1_000)} µs` : `${ms.toFixed(1)} ms`;
}
