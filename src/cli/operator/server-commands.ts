// What the running server says of itself over its socket.

import { defineRefusal } from "#kernel/refusal.ts";
import type { Commands } from "#platform/socket/serve-administration.ts";

/** It has the data directory and does not listen yet; asked again, it soon does. */
export const serverStarting = defineRefusal(
  "server_starting",
  "unavailable",
  "The server is just starting.",
);

/** The command `server.address`: where a program of this machine reaches the server. */
export function serverCommands(address: () => string): Commands {
  return {
    "server.address": async () => {
      const url = address();
      if (url === "") throw serverStarting();
      return { url };
    },
  };
}
