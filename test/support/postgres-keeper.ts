// The shell that keeps one PostgreSQL of a test. Invariant: the server ends, and its folder goes, with
// the program that opened it, also when that was killed: the shell reads a pipe that only it holds open.

import { chownSync } from "node:fs";

import { programUser } from "./postgres-programs.ts";

/**
 * $1 folder, $2 programs, $3 options of the server, then what makes the data. Each line read is a port
 * to start on; the end of the input is the end of all. The lock file says when the server takes
 * connections, and what a killed one left of System V memory. Descriptor 3 stays open until all is gone,
 * so that whoever reads what the program says to its end finds nothing left.
 */
const KEEPER = `
  folder=$1 programs=$2 options=$3 lock=$1/data/postmaster.pid server=; shift 3
  ended() {
    [ -z "$server" ] || wait "$server"
    left=$(sed -n '7s/.* //p' "$lock" 2> /dev/null)
    [ -z "$left" ] || ipcrm -m "$left"
    server=
  }
  end() {
    [ -z "$server" ] || kill -QUIT "$server"
    ended
    rm -rf "$folder"
    exit
  }
  trap end TERM INT HUP
  exec 3>&2 2> "$folder/log"
  if "$@" >&2; then echo made; else echo failed; fi
  while read -r port; do
    ended
    rm -f "$lock"
    eval "exec \\"\\$programs/postgres\\" -D \\"\\$folder/data\\" -p \\"\\$port\\" $options" >&2 < /dev/null 3>&- &
    server=$!
    until grep -q '^ready' "$lock"; do
      kill -0 "$server" || break
      sleep 0.05
    done 2> /dev/null
    if kill -0 "$server"; then echo started; else echo failed; fi
  done
  end`;

export interface KeeperTerms {
  readonly folder: string;
  readonly programs: string;
  /** Options of the server, as a shell reads them. */
  readonly options: string;
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
export function openKeeper({ folder, programs, options, making }: KeeperTerms): Keeper {
  const user = programUser();
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid);
  const child = Bun.spawn(["sh", "-c", KEEPER, "keeper", folder, programs, options, ...making], {
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
