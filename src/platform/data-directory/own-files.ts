// The modes of a data directory and its files, which contain customers, key hashes and the key of
// all secrets, and their owner. Invariant: only entries that this program makes are changed.

import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { backedUpModes, databaseFile } from "#platform/backup/files.ts";

/** The entries of a data directory that this program makes. */
const OWN_ENTRY =
  /^(?:duka\..+|(?:live|test)\.sqlite.*|secret\.key.*|restore\.json|backups|snapshots|media|uploads|(?:before-)?restore-.+)$/;
/** The bits that give the group or others any access. */
const OTHERS = 0o077;
const OWNER = 0o700;

/** The entries that other users could access, by what became of them; absolute paths. */
export interface TakenBack {
  readonly narrowed: readonly string[];
  /** Those that this user cannot change, or whose file system keeps no modes. */
  readonly shared: readonly string[];
}

/** Other users of the machine can access files of a live shop. */
export class FilesShared extends Error {
  constructor(paths: readonly string[]) {
    super(
      `Other users of this machine have access to ${paths.join(", ")}, and this user cannot take ` +
        "it from them. Make the files this user's own, or accept it with DUKA_ALLOW_SHARED_FILES=1.",
    );
    this.name = "FilesShared";
  }
}

/** Root would work on the shop of another user. */
export class OwnedByOther extends Error {
  constructor(directory: string, owner: number) {
    super(
      `The shop in ${directory} belongs to the user with the id ${owner}, whose server could not open the ` +
        `files that root would leave there. Run this command as that user: sudo -u '#${owner}' duka …`,
    );
    this.name = "OwnedByOther";
  }
}

/**
 * Throws OwnedByOther where root would leave files that the owner of the shop cannot open: its databases tell
 * whose it is, and before there are any the directory.
 */
export function requireOwner(directory: string): void {
  if (process.getuid?.() !== 0) return;
  const paths = [...backedUpModes.map((mode) => join(directory, databaseFile(mode))), directory];
  const found = paths.map((path) => statSync(path, { throwIfNoEntry: false }));
  const owner = found.find((stats) => stats !== undefined)?.uid ?? 0;
  if (owner !== 0) throw new OwnedByOther(directory, owner);
}

/** The directory and the entries of it that this program makes, which other users can access or own. */
export function findForeign(directory: string): {
  readonly wide: string[];
  readonly others: string[];
} {
  const user = process.getuid?.();
  // Root works for the user to whom the directory belongs.
  const owner = user === 0 ? statSync(directory).uid : user;
  const own = ownPaths(directory);
  return {
    wide: own.filter(isWide),
    others: own.filter((path) => {
      const found = statSync(path, { throwIfNoEntry: false })?.uid;
      return owner !== undefined && found !== undefined && found !== owner;
    }),
  };
}

function ownPaths(directory: string): string[] {
  const own = readdirSync(directory).filter((name) => OWN_ENTRY.test(name));
  return [directory, ...own.map((name) => join(directory, name))];
}

/** Takes the access of other users from the directory and from the entries that this program makes. */
export function takeBackAccess(directory: string): TakenBack {
  const wide = ownPaths(directory).filter(isWide);
  for (const path of wide) narrow(path);
  return {
    narrowed: wide.filter((path) => !isWide(path)),
    shared: wide.filter(isWide),
  };
}

/** Leaves the mode as it is where the system refuses: the caller looks at it again. */
function narrow(path: string): void {
  try {
    chmodSync(path, statSync(path).mode & OWNER);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

/** A file that went away since it was listed is not wide. */
function isWide(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & OTHERS) !== 0;
}
