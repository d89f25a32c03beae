// The user of the operating system who runs this program.

import { userInfo } from "node:os";

/** The name; null where the system has none for the user, as in many containers. */
export function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in the list of users still may run commands.
    return null;
  }
}
