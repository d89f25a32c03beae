// What one order alone hands to the kernel. The figures are counts, and do not depend on how fast the machine is.

import { afterAll, expect, setDefaultTimeout, test } from "bun:test";

import { openScratchFolder } from "../support/scratch.ts";
import { measureAlone } from "./alone.ts";
import { endAll } from "./programs.ts";

setDefaultTimeout(240_000);

/** What an order may cost; it falls with each b-tree that an order is not written to any more. */
const BYTES_MAX = 125_000;
const CALLS_MAX = 58;

afterAll(endAll);

test("an order alone writes few pages, whatever the keys of its requests are", async () => {
  using folder = openScratchFolder();

  const figures = await measureAlone(folder.path, 500);

  const tooMuch = figures.filter(({ bytes, calls }) => bytes > BYTES_MAX || calls > CALLS_MAX);
  expect(tooMuch).toEqual([]);
});
