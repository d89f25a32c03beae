// The shell script that keeps one PostgreSQL of a test. Invariant: the server ends and its folder is deleted
// with the program that opened it, even when that is killed: the shell reads a pipe that only it holds open.

import { chownSync } from "node:fs";

import { programUser } from "./postgres-programs.ts";

/**
 * $1 folder, $2 programs, $3 options of the server, then the command that makes the data. Each input line is
 * a port to start on; the end of the input ends everything. The lock file shows when the server accepts
 * connections, and which System V memory a killed one left. Descriptor 3 stays open until cleaning has
 * ended, so that reading the output to its end waits for that.
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
  /** Options of the server, in shell syntax. */
  readonly options: string;
  /** The command that makes the folder's `data`. */
  readonly making: readonly string[];
}

export interface Keeper {
  /** Starts the server on this port. */
  say(line: string): Promise<void>;
  /** The next line of output: made, started or failed. */
  nextLine(): Promise<string | undefined>;
  /** Ends the server; resolves when its folder is deleted. */
  end(): Promise<void>;
}

/** Makes the data in a session of its own, so that Ctrl-C does not end it before it has cleaned up. */
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
  // Does not keep a finished program running.
  child.unref();
  const lines = linesOf(child.stdout);
  return {
    say: async (line) => {
      await child.stdin.write(`${line}\n`);
      await child.stdin.flush();
    },
    nextLine: async () => (await lines.next()).value,
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
