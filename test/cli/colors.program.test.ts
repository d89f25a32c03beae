// Colors are for terminals whose owner wants them (no-color.org).

import { expect, setDefaultTimeout, test } from "bun:test";

import { program } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

/** Runs the command at a terminal and returns what is on its screen. */
async function shownAt(environment: Readonly<Record<string, string>>, args: readonly string[]) {
  using scratch = openScratchFolder();
  const decoder = new TextDecoder();
  const ended = Promise.withResolvers<void>();
  let screen = "";
  const child = Bun.spawn([...program, ...args], {
    cwd: scratch.path,
    env: { TERM: "xterm-256color", ...environment },
    terminal: {
      cols: 120,
      rows: 40,
      data: (_, bytes) => void (screen += decoder.decode(bytes, { stream: true })),
      exit: () => ended.resolve(),
    },
  });
  // The last lines may be read after the program has ended.
  await Promise.all([child.exited, ended.promise]);
  child.terminal?.close();
  return screen;
}

const ESCAPE = "\u001B[";

test.each([
  ["the help", ["--help"], "Commands:"],
  ["a mistake", ["srve"], "unknown command"],
  ["a guide", ["guide", "sandbox"], "Test mode"],
  ["the list of guides", ["guide"], "GUIDE"],
] as const)("%s is colored at a terminal, and not with NO_COLOR", async (_, args, text) => {
  const [colored, plain] = await Promise.all([shownAt({}, args), shownAt({ NO_COLOR: "1" }, args)]);

  expect(colored).toContain(text);
  expect(colored).toContain(ESCAPE);
  expect(plain).toContain(text);
  expect(plain).not.toContain(ESCAPE);
});
