// PostgreSQL's own programs on this machine, run as a user that it allows: never as root.

import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** The oldest version that Duka supports. */
const VERSION_MIN = 14;
/** Where Debian installs the versions of the server side by side. */
const DEBIAN_VERSIONS = "/usr/lib/postgresql";
/** Users to run the server as when the tests run as root: the first that exists. */
const UNPRIVILEGED = ["postgres", "nobody"];

/** The arguments that switch the user; empty without root. */
export interface ProgramUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** The folder of the server's programs: from PATH, else the newest version. Throws where there is none. */
export function findPrograms(): string {
  const versions = existsSync(DEBIAN_VERSIONS) ? readdirSync(DEBIAN_VERSIONS) : [];
  const beside = versions
    .filter((version) => Number(version) >= VERSION_MIN)
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(DEBIAN_VERSIONS, version, "bin"));
  const places = [...(process.env.PATH ?? "").split(delimiter), ...beside];
  const needed = ["initdb", "pg_ctl", "postgres"];
  const found = places.find((place) => needed.every((name) => existsSync(join(place, name))));
  // A folder of links contains only some of them.
  if (found !== undefined) return dirname(realpathSync(join(found, "initdb")));
  throw new Error(
    `No PostgreSQL server of version ${VERSION_MIN} or later was found, in the PATH or in ` +
      `${DEBIAN_VERSIONS}. Debian's package postgresql has one.`,
  );
}

/** The user that replaces root. */
export function programUser(): ProgramUser {
  if (process.getuid?.() !== 0) return {};
  const accounts = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of UNPRIVILEGED) {
    const account = accounts.find((line) => line.startsWith(`${name}:`))?.split(":");
    if (account !== undefined) return { uid: Number(account[2]), gid: Number(account[3]) };
  }
  throw new Error("PostgreSQL refuses to run as root, and there is no user nobody to run it.");
}

/** Runs a program to its end. Throws its output when it fails. */
export async function runProgram(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], {
    ...programUser(),
    cwd: tmpdir(),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const [stderr, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code !== 0) throw new Error(`${command.slice(0, 2).join(" ")} ended with ${code}: ${stderr}`);
}
