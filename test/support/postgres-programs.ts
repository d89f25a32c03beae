// PostgreSQL's own programs, found on this machine and run as somebody it allows: never as root.

import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** The oldest that Duka supports. */
const VERSION_MIN = 14;
/** Where Debian keeps the versions of its servers side by side. */
const DEBIAN_VERSIONS = "/usr/lib/postgresql";
/** Who runs a server where we are root: the first that exists. */
const UNPRIVILEGED = ["postgres", "nobody"];

/** Who runs the programs; empty where it is whoever we are. */
export interface ProgramUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** The folder of the server's programs: those of the PATH, else the newest. Throws where there are none. */
export function findPrograms(): string {
  const versions = existsSync(DEBIAN_VERSIONS) ? readdirSync(DEBIAN_VERSIONS) : [];
  const beside = versions
    .filter((version) => Number(version) >= VERSION_MIN)
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(DEBIAN_VERSIONS, version, "bin"));
  const places = [...(process.env.PATH ?? "").split(delimiter), ...beside];
  const needed = ["initdb", "pg_ctl", "postgres"];
  const found = places.find((place) => needed.every((name) => existsSync(join(place, name))));
  // A folder of links has only some of them.
  if (found !== undefined) return dirname(realpathSync(join(found, "initdb")));
  throw new Error(
    `No PostgreSQL server of version ${VERSION_MIN} or later was found, in the PATH or in ` +
      `${DEBIAN_VERSIONS}. Debian's package postgresql has one.`,
  );
}

/** Who runs programs in our place. */
export function programUser(): ProgramUser {
  if (process.getuid?.() !== 0) return {};
  const accounts = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of UNPRIVILEGED) {
    const account = accounts.find((line) => line.startsWith(`${name}:`))?.split(":");
    if (account !== undefined) return { uid: Number(account[2]), gid: Number(account[3]) };
  }
  throw new Error("PostgreSQL refuses to run as root, and there is no user nobody to run it.");
}

/** Runs a program to its end. Throws with what it said where it failed. */
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
