// Pictures are decoded by a process of their own, whose word is not taken for anything.

import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";

import { openImageMaker, UnreadableImage } from "#platform/files/image-maker.ts";
import { onlyPixels } from "#platform/files/only-pixels.ts";

import { colorProfile, picture, profiledPng, SRGB } from "../../support/pictures.ts";
import { openScratchFolder } from "../../support/scratch.ts";

const small = await picture("webp", 40, 20);
const tall = await picture("webp", 200, 300);
const blurred = JSON.stringify({ placeholder: "data:image/png;base64,AAAA" });
const size = (webp: Buffer) =>
  Buffer.concat([Buffer.from(`${JSON.stringify({ bytes: webp.length })}\n`), webp]);

/** What becomes of the output of a worker that writes this, and then ends with the code or hangs. */
async function made(output: readonly (string | Buffer)[], end = "exit 0") {
  using scratch = openScratchFolder();
  const [script, path] = ["output", "picture"].map((name) => scratch.file(name));
  writeFileSync(script ?? "", Buffer.concat(output.map((part) => Buffer.from(part))));
  writeFileSync(path ?? "", small);
  const maker = openImageMaker({
    command: ["/bin/sh", "-c", `/bin/cat ${script}; ${end}`],
    withinMs: 1000,
  });
  return await faultOrSizes(maker.make(path ?? ""));
}

function faultOrSizes(making: ReturnType<ReturnType<typeof openImageMaker>["make"]>) {
  return making.then(
    ({ sizes }) => sizes.map(({ width, height }) => `${width} x ${height}`),
    (error: unknown) => (error instanceof UnreadableImage ? error.fault : String(error)),
  );
}

describe("a worker", () => {
  test("is believed where all that it tells adds up", async () => {
    const narrow = await picture("webp", 160, 240);

    expect(await made([size(small), blurred, "\n"])).toEqual(["40 x 20"]);
    expect(await made([size(tall), size(narrow), blurred, "\n"])).toEqual([
      "200 x 300",
      "160 x 240",
    ]);
  });

  test.each([
    ["no JSON", ["<script>\n"]],
    ["a size that is no WebP", [size(Buffer.from("GIF89a")), blurred, "\n"]],
    ["a size that is wider than it may be", [size(tall), size(tall), blurred, "\n"]],
    ["one size too many", [size(small), size(small), blurred, "\n"]],
    ["a size less", [size(tall), blurred, "\n"]],
    ["bytes without end", [JSON.stringify({ bytes: 1e12 }), "\n"]],
    ["a negative number of bytes", [JSON.stringify({ bytes: -1 }), "\n"]],
    ["a long line", ["x".repeat(40_000)]],
    ["a page in place of the small picture", [size(small), '{"placeholder":"data:text/html,x"}\n']],
    ["its own fault", ['{"fault":"damaged"}\n']],
  ])("that tells %s has no picture", async (_, output) => {
    expect(await made(output)).toBe("damaged");
  });

  test("that is ended, takes too long or writes too much has a picture that costs too much", async () => {
    const much = JSON.stringify({ bytes: 64 * 1_048_576 });

    expect(await made([size(small)], "exit 9")).toBe("too_costly");
    expect(await made([size(small)], "kill -9 $$")).toBe("too_costly");
    expect(await made([size(small)], "exec /bin/sleep 60")).toBe("too_costly");
    expect(await made([size(tall), much, "\n"], "exec /bin/cat /dev/zero")).toBe("too_costly");
  });

  test("that throws has failed, which is no fault of the picture", async () => {
    expect(await made([], "exit 1")).toBe("Error: The process that decodes pictures failed.");
  });
});

describe("a picture", () => {
  test("whose profile takes more memory than its pixels explain is given up", async () => {
    using scratch = openScratchFolder();
    const path = scratch.file("picture");
    const profile = Buffer.alloc(64 * 1_048_576);
    writeFileSync(path, profiledPng(await picture("png", 400, 300), profile));

    expect(await faultOrSizes(openImageMaker().make(path))).toBe("too_costly");
  });

  test("waits for the one before it", async () => {
    using scratch = openScratchFolder();
    const path = scratch.file("picture");
    writeFileSync(path, profiledPng(await picture("png", 400, 300), colorProfile(SRGB)));
    const maker = openImageMaker();

    const all = await Promise.all([1, 2, 3].map(() => maker.make(path)));

    expect(all.flatMap(({ sizes }) => sizes.map(({ width }) => width))).toEqual([
      400, 160, 320, 400, 160, 320, 400, 160, 320,
    ]);
    expect(all.every(({ sizes }) => sizes.every(({ bytes }) => onlyPixels(bytes) !== null))).toBe(
      true,
    );
  });
});
