// The shells complete what the program knows.

import { expect, setDefaultTimeout, test } from "bun:test";

import { program, runDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

async function completed(line: string): Promise<string[]> {
  using scratch = openScratchFolder();
  const { stdout } = await runDuka(["complete", line], { folder: scratch.path });
  return stdout.split("\n").flatMap((found) => found.split("\t")[0] || []);
}

test.each([
  ["duka ke", ["keys"]],
  ["duka keys ", ["create", "list", "revoke", "rotate", "help"]],
  ["duka --data-dir keys backup ", ["verify", "list", "upload"]],
  ["duka keys create --mode ", ["test", "live"]],
  ["duka keys create --sc", ["--scopes"]],
  ["duka trigger order.p", ["order.placed", "order.paid"]],
  ["duka listen --events cart.", ["cart.abandoned", "cart.recovered", "cart.*"]],
  ["duka keys list --da", ["--data-dir"]],
  ["duka comp", ["completion"]],
  ["duka sandbox ", ["list", "stop", "suite", "snapshot", "restore"]],
  ["duka sandbox --scenario f", ["flash-sale"]],
  ["duka keys create --name ", []],
])("%j is completed", async (line, words) => {
  expect(await completed(line)).toEqual(words);
});

test("bash completes, also after the colon of a scope", async () => {
  using scratch = openScratchFolder();
  const { stdout } = await runDuka(["completion", "bash"], { folder: scratch.path });
  const words = program.map((word) => `"${word}"`).join(" ");
  const ask = `duka() { ${words} "$@"; }
${stdout}
complete_line() { COMP_LINE=$1 COMP_POINT=\${#1}; _duka duka; echo "\${COMPREPLY[@]}"; }
complete_line "duka keys re"
complete_line "duka keys create --scopes orders:"`;

  const shell = Bun.spawn(["bash", "-c", ask], { cwd: scratch.path });

  expect(await shell.stdout.text()).toBe("revoke\nread write create\n");
});

test.each(["zsh", "fish"])("%s is given a script", async (shell) => {
  using scratch = openScratchFolder();
  const { code, stdout } = await runDuka(["completion", shell], { folder: scratch.path });

  expect(code).toBe(0);
  expect(stdout).toMatch(/ complete .*LBUFFER| complete .*commandline/);
});
