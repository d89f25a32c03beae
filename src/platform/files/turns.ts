// Work that waits for its turn within one program.

/** Runs work, and answers what it answers. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs at most so much work at once; the rest waits in the order in which it came. */
export function turns(atOnce: number): InTurn {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The turn is handed over, so that nothing that comes now takes it first.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
