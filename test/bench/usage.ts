// What a process has used, as proc(5) reports it: processor time, memory, and what it wrote to files.

import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Resident memory of a process, bytes. */
export interface Memory {
  readonly now: number;
  readonly most: number;
  /** What no file backs: heaps, stacks, what is mapped without a file (RssAnon). */
  readonly anonymous: number;
}

/** What a process handed to the kernel by write calls (syscw, wchar). What it sends over sockets is not counted. */
export interface Written {
  readonly calls: number;
  readonly bytes: number;
}

/** User and system time of a process so far (fields 14 and 15, in hundredths). */
export function cpuSecondsOf(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The same of a process and of its children, those that have ended too (fields 16 and 17). */
export function cpuSecondsOfFamily(pid: number): number {
  const ended = (Number(statOf(pid)[13]) + Number(statOf(pid)[14])) / 100;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return children
    .filter((child) => existsSync(`/proc/${child}/stat`))
    .reduce((sum, child) => sum + cpuSecondsOf(Number(child)), cpuSecondsOf(pid) + ended);
}

/** Processor time of each thread so far, nanoseconds. The hundredths of `stat` are too coarse for a window. */
export function cpuNanosecondsOfThreads(pid: number): Map<string, number> {
  const threads = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8");
      threads.set(thread, Number(text.split(" ")[0]));
    } catch {
      // The thread ended between the two reads.
    }
  }
  return threads;
}

export function writtenBy(pid: number): Written {
  const text = readFileSync(`/proc/${pid}/io`, "utf8");
  const figure = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, "m").exec(text)?.[1]);
  return { calls: figure("syscw"), bytes: figure("wchar") };
}

export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
  return { now: bytes("VmRSS"), most: bytes("VmHWM"), anonymous: bytes("RssAnon") };
}

/** What the kernel says of a process, from its state on. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
