// Checks of the machine: room on the disk, and the files that the server may have open.

import { reserveOf } from "#platform/process/disk-reserve.ts";

import { type Check, fail, ok, type Place, type Served, todo, unknown } from "./check.ts";

const HEALTH = "/guides/operations#health-and-metrics";
const GIB = 1_073_741_824;
/** Each client and each webhook that is being sent has one; what systemd gives a service is 1,024. */
const OPEN_FILES_MIN = 4_096;

export const diskSpace: Check<Place> = {
  name: "disk_space",
  area: "machine",
  href: HEALTH,
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
  href: "/guides/operations#the-binary",
  look: ({ openFilesMax }) => {
    if (openFilesMax === null)
      return unknown("This system does not say how many files may be open.");
    const found = `The server may have ${openFilesMax.toLocaleString("en")} files open.`;
    if (openFilesMax >= OPEN_FILES_MIN) return ok(found);
    return todo(found, "Set LimitNOFILE=65536 in its unit, or ulimit -n 65536 before it starts.");
  },
};
