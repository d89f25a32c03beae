// When the engine of JavaScript compiles, and when it collects.

import { PauseWatch, type Usage } from "./pause-watch.ts";

const TICK_MS = 1_000;

/**
 * From now on code that runs often is compiled as soon as usual: call it when the start is over. The executable is built
 * so that the compiler waits 16 times as long, because what runs once is not worth it, and the threads that compile take
 * the time of the one that starts. From the sources it never waits.
 */
export function compileEagerly(): void {
  Bun.unsafe.setJITPolicy(1);
}

/**
 * Gives memory back in the pauses after a load, for as long as the program runs: left alone, the collector keeps for
 * many seconds what the load needed. No request is answered meanwhile, which is 30 ms. In a long pause compiled code goes,
 * too, which is 15 MB: the first half second of the next load runs at two thirds of the speed, until it is compiled again.
 */
export function collectInPauses(): void {
  const watch = new PauseWatch(usageNow());
  const tick = () => {
    const leftover = watch.leftover(usageNow());
    if (leftover === null) return;
    if (leftover === "garbage") Bun.gc(true);
    else Bun.shrink();
    watch.noteGivenBack(usageNow());
  };
  setInterval(tick, TICK_MS).unref();
}

function usageNow(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuMicros: user + system, residentBytes: process.memoryUsage.rss() };
}
