#!/usr/bin/env node
// Runs the program of this machine, which is in a package of its own: npm installs the one that fits. Signals and the exit
// code are handed on.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";

const require = createRequire(import.meta.url);
const { platform, arch, argv } = process;
const isMusl = platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
const name = `duka-${platform}-${arch}${isMusl ? "-musl" : ""}`;

let program = null;
try {
  program = require.resolve(`${name}/duka`);
} catch {
  const names = Object.keys(require("../package.json").optionalDependencies);
  const known = names.includes(name) ? `${name} is not installed` : `There is no ${name}`;
  console.error(`${known}. The packages of programs are ${names.join(", ")}.`);
  process.exitCode = 1;
}

if (program !== null) {
  const child = spawn(program, argv.slice(2), { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  child.on("error", ({ message }) => {
    console.error(message);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
    if (signal === "SIGILL")
      console.error(
        `This processor lacks AVX2: take the archive duka-…-${platform}-${arch}-baseline.`,
      );
  });
}
