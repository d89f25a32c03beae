// Files that survive a crash whole or not at all.

import { constants } from "node:fs";
import { copyFile, link, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

import { newRequestId } from "#kernel/id.ts";

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;
/** The ending of a file that is being written, or that a crash cut off. */
export const UNFINISHED_ENDING = ".partial";

/** Writes the file durably, in place of one of the same name. */
export function writeFileDurably(path: string, bytes: Uint8Array): Promise<void> {
  return makeDurably(path, async (unfinished) => {
    await using file = await open(unfinished, "wx", OWNER_ONLY_FILE);
    await file.writeFile(bytes);
    await file.sync();
  });
}

/** Copies the file durably, in place of one of the same name. */
export function copyFileDurably(from: string, to: string): Promise<void> {
  return makeDurably(to, async (unfinished) => {
    await copyFile(from, unfinished, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    await using file = await open(unfinished, "r+");
    await file.chmod(OWNER_ONLY_FILE);
    await file.sync();
  });
}

/** Gives the file a second name durably; where its file system has no such names it is copied. */
export async function linkFileDurably(from: string, to: string): Promise<void> {
  try {
    await makeDurably(to, (unfinished) => link(from, unfinished));
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    await copyFileDurably(from, to);
  }
}

/** The name that an unfinished file was to get; of any other file its own. */
export function finishedName(name: string): string {
  return name.replace(/\.[^./]+\.partial$/, "");
}

async function makeDurably(path: string, make: (unfinished: string) => Promise<void>) {
  const folder = dirname(path);
  await makeFolder(folder);
  const unfinished = `${path}.${newRequestId()}${UNFINISHED_ENDING}`;
  try {
    await make(unfinished);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** The name of each folder that was made is synced, too. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    await syncFolder(dirname(made));
  }
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, "r");
  await folder.sync();
}

// Tells whether a file could not be written for want of room.

const codes: readonly unknown[] = ["ENOSPC", "EDQUOT"];

export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && codes.includes(error.code);
}
