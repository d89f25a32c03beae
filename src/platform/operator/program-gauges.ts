// Measures the process itself: its memory and time on each scrape, and how late its timers fire.

import { readFileSync } from "node:fs";

import Gauge from "prom-client/lib/gauge.js";
import type Registry from "prom-client/lib/registry.js";

import { monotonicMs } from "#kernel/time.ts";

/** Between two ticks of the timer that is measured. */
const TICK_MS = 20;

/** The gauges have this shape, whatever they measure. */
interface Figure {
  readonly name: string;
  readonly help: string;
  /** Null where the system does not tell. */
  readonly read: () => number | null;
}

const figures: readonly Figure[] = [
  {
    name: "process_resident_memory_bytes",
    help: "Resident memory.",
    read: () => process.memoryUsage.rss(),
  },
  {
    name: "duka_memory_anonymous_bytes",
    help: "Resident memory without files that are mapped, such as the program itself. Linux only.",
    read: anonymousBytes,
  },
  {
    name: "process_cpu_seconds_total",
    help: "Processor time used.",
    read: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  },
  {
    name: "duka_uptime_seconds",
    help: "Time since the program started.",
    read: () => process.uptime(),
  },
];

/** Registers the gauges. */
export function addProgramGauges(
  registers: Registry[],
  labels: { readonly version: string; readonly engine: string },
): void {
  new Gauge({
    name: "duka_info",
    help: "Version and engine of the program.",
    labelNames: ["version", "engine"],
    registers,
  }).set({ ...labels }, 1);
  for (const { name, help, read } of figures) {
    // prom-client writes 0 for a gauge that nothing set.
    if (read() === null) continue;
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers,
      collect: () => gauge.set(read() ?? 0),
    });
  }
}

/** RssAnon of proc(5); null where there is no such file. */
function anonymousBytes(): number | null {
  if (process.platform !== "linux") return null;
  const line = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"));
  return line === null ? null : Number(line[1]) * 1024;
}

/** Calls back with how late each tick of a timer fires, milliseconds, until it is disposed: for so long nothing was answered. */
export function watchLoopDelay(tell: (delayMs: number) => void): Disposable {
  let dueMs = 0;
  let timer: NodeJS.Timeout;
  const wait = () => {
    dueMs = monotonicMs() + TICK_MS;
    timer = setTimeout(tick, TICK_MS).unref();
  };
  const tick = () => {
    tell(Math.max(0, monotonicMs() - dueMs));
    wait();
  };
  wait();
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
