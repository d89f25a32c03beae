// What the tests of a file share: opened once before the first of them, closed after the last.

import { afterAll, beforeAll } from "bun:test";

/** Opens it before the first test of the file, or of the `describe` that calls this, and closes it after the last. */
export function shared<T extends AsyncDisposable>(open: () => Promise<T>): T {
  let opened: T | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
  });
  const place: T = Object.create(null);
  return new Proxy(place, {
    get: (_, name) => {
      if (opened === undefined) throw new Error("What is shared opens before the first test.");
      return Reflect.get(opened, name, opened);
    },
  });
}
