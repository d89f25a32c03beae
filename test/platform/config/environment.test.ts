// A settings file is read when it is named, and every line of it is understood.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { parseConfig } from "#platform/config/config.ts";
import {
  dropProxies,
  readEnvironment,
  readEnvironmentFile,
} from "#platform/process/environment.ts";

let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "duka-environment-"));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The variables of a settings file with these lines. */
function readLines(text: string): Record<string, string> {
  const file = join(directory, "shop.env");
  writeFileSync(file, text);
  return readEnvironmentFile(file);
}

describe("a line of a settings file", () => {
  test.each([
    ["DUKA_PORT=4000", "4000"],
    ["  DUKA_PORT = 4000  ", "4000"],
    ["export DUKA_PORT=4000", "4000"],
    ["DUKA_PORT=4000 # the port", "4000"],
    ["DUKA_PORT=a#b", "a#b"],
    ["DUKA_PORT=", ""],
    ["DUKA_PORT= # none", ""],
    ["DUKA_PORT=a=b", "a=b"],
    ["DUKA_PORT=it's", "it's"],
    ['DUKA_PORT="a # b" # comment', "a # b"],
    ["DUKA_PORT='a # b'", "a # b"],
    ['DUKA_PORT="say \\"hi\\"\\n\\\\"', 'say "hi"\n\\'],
    ["DUKA_PORT='a\\n'", "a\\n"],
    ['DUKA_PORT=""', ""],
    ["\uFEFFDUKA_PORT=4000\r", "4000"],
  ])("%p says %p", (line, value) => {
    expect(readLines(line)).toEqual({ DUKA_PORT: value });
  });

  test.each(["", "   ", "# DUKA_PORT=4000", "  # comment"])("%p says nothing", (line) => {
    expect(readLines(line)).toEqual({});
  });

  test("wins over an earlier one of the same name", () => {
    expect(readLines("A=1\nB=2\nA=3")).toEqual({ A: "3", B: "2" });
  });

  test("that is not understood is named by its number, with all others, and not repeated", () => {
    const text = "A=1\nsecret\nB=\"open\n1X=2\nC='a' b";

    expect(() => readLines(text)).toThrow(
      "The settings cannot be used:\n" +
        `  ${directory}/shop.env:2: is not a line NAME=value\n` +
        `  ${directory}/shop.env:3: is not a line NAME=value\n` +
        `  ${directory}/shop.env:4: is not a line NAME=value\n` +
        `  ${directory}/shop.env:5: is not a line NAME=value`,
    );
  });
});

test("a settings file that is not there stops the start", () => {
  expect(() => readEnvironmentFile(join(directory, "none.env"))).toThrow("--env-file: cannot be");
});

test("a settings file that is named is read", () => {
  const config = parseConfig({}, readLines("DUKA_PORT=4711\n"));

  expect(config.listen.port).toBe(4711);
  expect(config.given.DUKA_PORT?.origin).toBe("file");
});

test("the environment of the program is read", () => {
  expect(readEnvironment().PATH ?? "").not.toBe("");
});

describe("proxies that the environment names", () => {
  const before = { ...process.env };

  afterEach(() => {
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, before);
  });

  test("are dropped and told, in capitals or not, and none is used instead", () => {
    const proxy = "http://proxy.example:3128";
    dropProxies();
    Object.assign(process.env, { HTTP_PROXY: proxy, https_proxy: proxy, all_proxy: proxy });
    Object.assign(process.env, { no_proxy: "shop.example" });

    const dropped = dropProxies();

    expect(dropped.toSorted()).toEqual(["HTTP_PROXY", "all_proxy", "https_proxy"]);
    expect(
      Object.keys(process.env).filter((name) => /^(?:https?|all|no)_proxy$/i.test(name)),
    ).toEqual(["NO_PROXY"]);
    expect(process.env["NO_PROXY"]).toBe("*");
  });

  test("are not told where none is set", () => {
    dropProxies();
    process.env["HTTP_PROXY"] = "";

    expect(dropProxies()).toEqual([]);
  });
});
