// A reader that reads every row anew.

import type { Reader } from "#platform/database/database.ts";

/** The same reader without its memory. */
export function withoutMemory(db: Reader): Reader {
  return new Proxy(db, {
    get: (target, name) => {
      if (name === "memory") return undefined;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
