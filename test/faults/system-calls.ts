// The calls of a program to disk and network, in the order of its system calls: recorded by strace, parsed
// here. Invariant: an unknown call on the recorded folder is an error, so that no write is missed.

import { resolve } from "node:path";

/** A call on the folder, or data sent or received. Paths are absolute. */
export type Call =
  | { readonly type: "open"; readonly path: string; readonly truncates: boolean }
  | { readonly type: "write"; readonly path: string; readonly at: number; readonly bytes: Buffer }
  | { readonly type: "resize"; readonly path: string; readonly size: number }
  | { readonly type: "sync"; readonly path: string }
  | { readonly type: "unlink"; readonly path: string }
  | { readonly type: "link" | "rename"; readonly path: string; readonly to: string }
  | { readonly type: "mkdir"; readonly path: string }
  | { readonly type: "receive"; readonly channel: string; readonly text: string }
  | { readonly type: "send"; readonly channel: string; readonly text: string };

const CHANGES = [
  "openat,creat,write,pwrite64,ftruncate,fsync,fdatasync,unlink,unlinkat,link,linkat",
  "rename,renameat,renameat2,mkdir,mkdirat",
  // Accepted only outside of the folder.
  "writev,pwritev,pwritev2,truncate,fallocate,sync_file_range,copy_file_range,sendfile,symlink",
];
const TALK = "read,readv,recvfrom,recvmsg,sendto,sendmsg";
/** Longer than any write, so that no text is cut off. */
const STRING_BYTES_MAX = 1_000_000;

/** The command that starts a program with its calls recorded in a file. */
export function recording(file: string, program: readonly string[]): string[] {
  const strace = ["strace", "-f", "-y", "-xx", "--seccomp-bpf", "--quiet=all"];
  const calls = `trace=${[...CHANGES, TALK].join(",")}`;
  // A signal that ends the recorder also ends the recorded program.
  const bound = ["setpriv", "--pdeathsig", "KILL", ...program];
  return [...strace, "-s", String(STRING_BYTES_MAX), "-e", calls, "-o", file, ...bound];
}

interface RawCall {
  readonly name: string;
  readonly line: string;
  /** The lines at which the call began and returned. */
  readonly began: number;
  readonly ended: number;
}

/** The calls of a recording that concern the folder, and the data on sockets and stdout. */
export function readCalls(trace: string, folder: string): Call[] {
  const reader = new CallReader(folder);
  const placed = rawCalls(trace)
    .map((raw) => ({ raw, at: takesEffectAtItsEnd.test(raw.name) ? raw.ended : raw.began }))
    .toSorted((one, other) => one.at - other.at);
  return placed.flatMap(({ raw }) => reader.read(raw));
}

/** These take effect when they return: a sync, and what was read or opened. */
const takesEffectAtItsEnd = /^(fsync|fdatasync|openat|creat|read|readv|recvfrom|recvmsg)$/;

/** Joins calls that other threads interrupted; drops those that failed or never returned. */
function rawCalls(trace: string): RawCall[] {
  const calls: RawCall[] = [];
  const unfinished = new Map<string, Beginning>();
  trace.split("\n").forEach((line, at) => {
    const space = line.indexOf(" ");
    const thread = line.slice(0, space);
    const text = line.slice(space).trimStart();
    if (text.endsWith(UNFINISHED)) {
      unfinished.set(thread, { head: text.slice(0, -UNFINISHED.length).trimEnd(), began: at });
      return;
    }
    const whole = resumed(text, unfinished.get(thread)) ?? { head: text, began: at };
    const name = /^(\w+)\(/.exec(whole.head)?.[1];
    const hasWorked = /\) += \d+[^"]*$/.test(whole.head);
    if (name === undefined || !hasWorked) return;
    calls.push({ name, line: whole.head, began: whole.began, ended: at });
  });
  return calls;
}

const UNFINISHED = "<unfinished ...>";

interface Beginning {
  readonly head: string;
  readonly began: number;
}

/** A call with its second half, if this is one. */
function resumed(text: string, first: Beginning | undefined): Beginning | null {
  const found = /^<\.\.\. \w+ resumed>/.exec(text);
  if (found === null) return null;
  return { head: `${first?.head}${text.slice(found[0].length)}`, began: first?.began ?? 0 };
}

/** `12</path>` of a descriptor, and the strings of a call. */
const DESCRIPTOR = /^\w+\((\d+)<([^>]*)>(\(deleted\))?/;
const STRINGS = /"([^"]*)"/g;

class CallReader {
  readonly #folder: string;
  /** The position of the next write without one, by descriptor. */
  readonly #positions = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  read({ name, line }: RawCall): Call[] {
    if (name === "openat") return this.#open(line);
    if (/^(write|pwrite64)$/.test(name)) return this.#write(name, line);
    if (/^(unlink|mkdir|link|rename)/.test(name)) return this.#rename(name, line);
    if (/^(ftruncate|fsync|fdatasync)$/.test(name)) return this.#settle(name, line);
    return this.#talk(name, line);
  }

  #open(line: string): Call[] {
    const path = this.#inFolder(stringsOf(line)[0]?.toString() ?? "");
    const descriptor = / = (\d+)</.exec(line.slice(line.lastIndexOf(") ")))?.[1] ?? "";
    if (path === null || !/O_CREAT|O_TRUNC|O_WRONLY|O_RDWR/.test(line)) return [];
    if (line.includes("O_APPEND")) throw new Error(`A file is opened for appending: ${path}`);
    this.#positions.set(descriptor, 0);
    return [{ type: "open", path, truncates: line.includes("O_TRUNC") }];
  }

  #write(name: string, line: string): Call[] {
    const { descriptor, path, isDeleted } = descriptorOf(line);
    if (!path.startsWith("/") || this.#inFolder(path) === null) return this.#talk(name, line);
    // The bytes that were written, which may be fewer than were given.
    const taken = Number(/ = (\d+)$/.exec(line)?.[1]);
    const bytes = (stringsOf(line)[0] ?? Buffer.alloc(0)).subarray(0, taken);
    let at = Number(/, (\d+)\) += \d+$/.exec(line)?.[1]);
    if (name === "write") {
      at = this.#positions.get(descriptor) ?? 0;
      this.#positions.set(descriptor, at + bytes.length);
    }
    return isDeleted ? [] : [{ type: "write", path, at, bytes }];
  }

  #rename(name: string, line: string): Call[] {
    const [from = "", to = from] = stringsOf(line).map((string) =>
      this.#inFolder(string.toString()),
    );
    if (from === null && to === null) return [];
    if (from === null || to === null) throw new Error(`A file comes from elsewhere: ${line}`);
    if (name.startsWith("unlink")) return [{ type: "unlink", path: from }];
    if (name.startsWith("mkdir")) return [{ type: "mkdir", path: from }];
    return [{ type: name.startsWith("link") ? "link" : "rename", path: from, to }];
  }

  #settle(name: string, line: string): Call[] {
    const { path, isDeleted } = descriptorOf(line);
    if (isDeleted || this.#inFolder(path) === null) return [];
    if (name !== "ftruncate") return [{ type: "sync", path }];
    return [{ type: "resize", path, size: Number(/, (\d+)\)/.exec(line)?.[1]) }];
  }

  /** Data to a socket or a pipe. Any other target in the folder is an error. */
  #talk(name: string, line: string): Call[] {
    const { descriptor, path } = descriptorOf(line);
    const isReceived = /^(read|recv)/.test(name);
    if (path.startsWith("/") || path === "") {
      // The strings of a call on a descriptor are bytes, and no paths: the runtime writes a cache of its own.
      const paths = path === "" ? stringsOf(line).map(String) : [path];
      if (!isReceived && paths.some((one) => this.#inFolder(one) !== null)) {
        throw new Error(`Not understood: ${line.slice(0, 200)}`);
      }
      return [];
    }
    if (!/^(socket|pipe|TCP|UNIX)/i.test(path)) return [];
    const text = Buffer.concat(stringsOf(line)).toString("latin1");
    return [{ type: isReceived ? "receive" : "send", channel: descriptor, text }];
  }

  /** The absolute path if it is the folder or in it. */
  #inFolder(path: string): string | null {
    const absolute = resolve(this.#folder, path);
    return absolute.startsWith(`${this.#folder}/`) || absolute === this.#folder ? absolute : null;
  }
}

function descriptorOf(line: string) {
  const [, descriptor = "", path = "", deleted] = DESCRIPTOR.exec(line) ?? [];
  const plain = path.startsWith("\\x") ? unescaped(path).toString() : path;
  return { descriptor, path: plain, isDeleted: deleted !== undefined };
}

function stringsOf(line: string): Buffer[] {
  return [...line.matchAll(STRINGS)].map(([, escaped = ""]) => unescaped(escaped));
}

/** Decodes `\x2f\x74`, the form in which -xx prints every string. */
function unescaped(text: string): Buffer {
  return Buffer.from(text.replaceAll("\\x", ""), "hex");
}
