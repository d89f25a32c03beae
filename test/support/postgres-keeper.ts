// The shell that keeps one PostgreSQL of a test. Invariant: the server ends, and its folder goes, with
// the program that opened it, also when that was killed: the shell reads a pipe that only it holds open.

import { chownSync } from "node:fs";

import { programUser } from "./postgres-programs.ts";

/**
 * $1 folder, $2 programs, $3 settings, then what makes the data. Each line read is a port to start on;
 * the end of the input is the end of all. What a killed server leaves of System V memory has its number
 * in the seventh line of its lock file.
 */
const KEEPER = `
  folder=$1 programs=$2 settings=$3; shift 3
  end() {
    "$programs/pg_ctl" stop -s -D "$folder/data" -m immediate
    left=$(sed -n '7s/.* //p' "$folder/data/postmaster.pid") && [ -n "$left" ] && ipcrm -m "$left"
    rm -rf "$folder"
    exit
  }
  trap end TERM INT HUP
  exec 2> "$folder/log"
  if "$@" >&2; then echo made; else echo failed; fi
  while read -r port; do
    if "$programs/pg_ctl" start -s -w -D "$folder/data" -l "$folder/log" -o "-p $port $settings"
    then echo started; else echo failed; fi
  done
  end`;

export interface KeeperTerms {
  readonly folder: string;
  readonly programs: string;
  /** Options of the server, in one word. */
  readonly settings: string;
  /** The command that makes the folder's `data`. */
  readonly making: readonly string[];
}

export interface Keeper {
  /** Starts the server on a port. */
  say(line: string): Promise<void>;
  /** Its next line: made, started or failed. */
  heard(): Promise<string | undefined>;
  /** Ends the server; resolves when its folder is gone. */
  end(): Promise<void>;
}

/** Makes the data, in a session of its own, so that nobody's Ctrl-C ends it before it has cleaned up. */
export function openKeeper({ folder, programs, settings, making }: KeeperTerms): Keeper {
  const user = programUser();
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid);
  const child = Bun.spawn(["sh", "-c", KEEPER, "keeper", folder, programs, settings, ...making], {
    ...user,
    cwd: folder,
    detached: true,
    env: { PATH: process.env.PATH ?? "", LC_ALL: "C", TZ: "UTC" },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  // A program that has no more to do is not kept waiting.
  child.unref();
  const lines = linesOf(child.stdout);
  return {
    say: async (line) => {
      await child.stdin.write(`${line}\n`);
      await child.stdin.flush();
    },
    heard: async () => (await lines.next()).value,
    end: async () => {
      await child.stdin.end();
      await child.exited;
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
    text = lines.pop() ?? "";
    yield* lines;
  }
  return undefined;
}
