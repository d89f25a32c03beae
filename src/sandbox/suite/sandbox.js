// sandbox.mjs: a shop of Duka for a test suite, without dependencies. It needs `duka` on the path. A suite has a shop of
// its own; with DUKA_SANDBOX=ci it uses the one that `duka sandbox --detach --name ci` has started, and leaves it.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** The options are those of `duka sandbox`, such as "--seed", "full". */
export async function openSandbox(...options) {
  const name = process.env.DUKA_SANDBOX;
  const { facts, close } = name ? findDetached(name) : await startSandbox(options);
  const state = (verb, saved = "default") => {
    execFileSync("duka", ["sandbox", verb, saved, "--data-dir", facts.directory]);
  };
  return {
    ...facts,
    ask: (method, path, body) => ask(facts, { method, path, body }),
    snapshot: (saved) => state("snapshot", saved),
    restore: (saved) => state("restore", saved),
    close,
  };
}

/** Starts one, which ends when its stdin is closed: with close(), and with this process. */
async function startSandbox(options) {
  const child = spawn("duka", ["sandbox", "--json", ...options], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const refuse = ended.then(([code]) => {
    throw new Error(`duka sandbox ended with exit code ${code}.`);
  });
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    refuse,
  ]);
  const close = async () => {
    child.stdin.end();
    await ended;
  };
  return { facts: JSON.parse(line), close };
}

function findDetached(name) {
  const listed = execFileSync("duka", ["sandbox", "list", "--json"], { encoding: "utf8" });
  const facts = JSON.parse(listed).find((running) => running.name === name);
  if (facts !== undefined) return { facts, close: async () => {} };
  throw new Error(`No sandbox "${name}" runs: duka sandbox --detach --name ${name}`);
}

/** The body of the answer, of any status; null where there is none. */
async function ask({ api, key }, { method, path, body }) {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const text = await (await fetch(api + path, { method, headers, ...sent })).text();
  return text === "" ? null : JSON.parse(text);
}
