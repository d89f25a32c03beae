// The unit of the service, as it is for one user and one data directory.

import unit from "#platform/process/duka.service" with { type: "text" };

export const UNIT_NAME = "duka.service";
export const UNIT_PATH = `/etc/systemd/system/${UNIT_NAME}`;
export const PROGRAM_PATH = "/usr/local/bin/duka";
export const SETTINGS_PATH = "/etc/duka/duka.env";

/** Below it systemd makes the folder of a service, and opens it for writing. */
const STATE = "/var/lib/";

const STATE_LINES = "StateDirectory=duka\nStateDirectoryMode=0700\n";

/** The unit with this user and data directory. Throws if the file has no longer the lines that say so. */
export function unitFor(user: string, dataDirectory: string): string {
  const place = dataDirectory.startsWith(STATE)
    ? `StateDirectory=${dataDirectory.slice(STATE.length)}\nStateDirectoryMode=0700\n`
    : `ReadWritePaths=${dataDirectory}\n`;
  return withLines(withLines(unit, "User=duka\n", `User=${user}\n`), STATE_LINES, place);
}

function withLines(text: string, lines: string, others: string): string {
  if (!text.includes(lines)) throw new Error(`The unit has no ${lines}`);
  return text.replace(lines, others);
}
