// A lock on the directory itself, which deleting files in it does not release. It is flock(2) on a
// descriptor of the directory: independent of the POSIX locks that SQLite takes on files, and ended
// by the kernel with the process. Where the system has no such call, the lock file stands alone.

import { dlopen, FFIType, read } from "bun:ffi";
import { closeSync, openSync } from "node:fs";

/** From flock(2); the same on Linux and macOS. */
const LOCK_EX = 2;
const LOCK_NB = 4;

/** The C library of a system, and its names. */
interface Platform {
  readonly libraries: readonly string[];
  /** The function that returns the address of errno. */
  readonly errno: "__errno_location" | "__error";
  /** EWOULDBLOCK: another process holds the lock. */
  readonly wouldBlock: number;
}

const platforms: Partial<Record<NodeJS.Platform, Platform>> = {
  linux: {
    libraries: ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"],
    errno: "__errno_location",
    wouldBlock: 11,
  },
  darwin: { libraries: ["libSystem.B.dylib"], errno: "__error", wouldBlock: 35 },
};

/** Returns the errno of the lock; 0 if it was taken. */
type TryLock = (descriptor: number) => number;

/**
 * Locks the directory until disposed; returns null if another process holds the lock. File systems
 * that lock no directories, as some network ones, count as free.
 */
export function lockDirectory(path: string): Disposable | null {
  const platform = platforms[process.platform];
  const tryLock = platform === undefined ? null : openLibrary(platform);
  if (platform === undefined || tryLock === null) return { [Symbol.dispose]() {} };
  const descriptor = openSync(path, "r");
  if (tryLock(descriptor) === platform.wouldBlock) {
    closeSync(descriptor);
    return null;
  }
  return { [Symbol.dispose]: () => closeSync(descriptor) };
}

/** The call of the first library that loads; null if none does. */
function openLibrary({ libraries, errno }: Platform): TryLock | null {
  const calls = {
    flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
    [errno]: { args: [], returns: FFIType.ptr },
  } as const;
  for (const name of libraries) {
    try {
      const { symbols } = dlopen(name, calls);
      return (descriptor) => {
        if (symbols.flock(descriptor, LOCK_EX | LOCK_NB) === 0) return 0;
        const address = symbols[errno]?.();
        return address ? read.i32(address) : 0;
      };
    } catch {
      // Another C library: the next name, or no lock of the directory.
    }
  }
  return null;
}
