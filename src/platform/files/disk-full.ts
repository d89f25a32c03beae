// Tells whether a file could not be written for want of room.

const codes: readonly unknown[] = ["ENOSPC", "EDQUOT"];

export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && codes.includes(error.code);
}
