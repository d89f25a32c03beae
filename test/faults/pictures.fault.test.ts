// The short form of the pictures: nothing but pixels is kept, and the memory of the server does not grow.

import { expect, test } from "bun:test";

import { briefly } from "./fault.ts";
import { pictures } from "./pictures.ts";

test("of pictures that hold more than pixels, pixels are kept or nothing", async () => {
  const { figures, broken } = await pictures.run(briefly(pictures));

  expect(broken).toEqual([]);
  expect(Number(figures["files kept"])).toBeGreaterThan(2);
}, 60_000);
