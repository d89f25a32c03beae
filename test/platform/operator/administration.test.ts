// Commands of the CLI reach the running server over a real socket file.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { defineRefusal } from "#kernel/refusal.ts";
import { openLog } from "#platform/log/log.ts";
import { AnswerLost, askServer, CommandFailed } from "#platform/operator/ask-server.ts";
import { type Commands, serveAdministration } from "#platform/operator/serve-administration.ts";

const keyMissing = defineRefusal("key_not_found", "not_found", "There is no such key.");

let directory = "";
let opened = new AsyncDisposableStack();
let lines: string[] = [];

const commands: Commands = {
  echo: async (input) => input,
  nothing: async () => undefined,
  refuse: async () => {
    throw keyMissing({ detail: "No key key_123." });
  },
  crash: async () => {
    throw new TypeError("the disk is on fire");
  },
};

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "duka-socket-"));
  lines = [];
  opened = new AsyncDisposableStack();
});

afterEach(async () => {
  await opened.disposeAsync();
  rmSync(directory, { recursive: true, force: true });
});

function serve(extra: Commands = {}, load = async () => ({ ...commands, ...extra })) {
  const log = openLog({ level: "info", write: (line) => lines.push(line) });
  return opened.use(serveAdministration({ directory, log, commands: load }));
}

async function failureOf(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    return error;
  }
}

describe("a command", () => {
  test("gets its input and gives its output", async () => {
    serve();

    const answer = await askServer(directory, "echo", { name: "Ada's key", scopes: ["full"] });

    expect(answer).toEqual({ answered: true, output: { name: "Ada's key", scopes: ["full"] } });
  });

  test("may need no input and give no output", async () => {
    serve();

    expect(await askServer(directory, "nothing", undefined)).toEqual({
      answered: true,
      output: undefined,
    });
  });

  test("that is refused keeps its code and its sentence", async () => {
    serve();

    const failure = await failureOf(askServer(directory, "refuse", {}));

    expect(failure).toBeInstanceOf(CommandFailed);
    expect(failure).toMatchObject({ code: "key_not_found", message: "No key key_123." });
  });

  test("that fails says why, and the server notes it", async () => {
    serve();

    const failure = await failureOf(askServer(directory, "crash", {}));

    expect(failure).toMatchObject({ code: null, message: "the disk is on fire" });
    expect(lines.join("")).toContain("An administrative command failed");
  });

  test("that comes where commands cannot be loaded is told why, and the next one loads them", async () => {
    let asked = 0;
    serve({}, async () => {
      asked += 1;
      if (asked === 1) throw new Error("the files are gone");
      return commands;
    });

    const failure = await failureOf(askServer(directory, "echo", 7));
    const answer = await askServer(directory, "echo", 7);

    expect(failure).toMatchObject({ code: null, message: "the files are gone" });
    expect(lines.join("")).toContain("An administrative command failed");
    expect(answer).toEqual({ answered: true, output: 7 });
  });

  test.each(["frobnicate", "toString", "__proto__", "a/b", ""])(
    "that the server does not know, %p, is refused by name",
    async (name) => {
      serve();

      const failure = await failureOf(askServer(directory, name, {}));

      expect(failure).toMatchObject({ code: "unknown_command" });
    },
  );

  test("in flight is finished by a server that stops", async () => {
    const started = Promise.withResolvers<void>();
    const server = serve({
      backup: async () => {
        started.resolve();
        // Still running when the server is told to stop.
        await Bun.sleep(50);
        return "copied";
      },
    });
    const answer = askServer(directory, "backup", {});
    await started.promise;

    await server[Symbol.asyncDispose]();

    expect(await answer).toEqual({ answered: true, output: "copied" });
  });
});

describe("the socket", () => {
  test("is open to its owner alone", async () => {
    serve();

    expect(statSync(join(directory, "duka.sock")).mode & 0o777).toBe(0o600);
  });

  test("leaves the umask of the program as it was", async () => {
    const before = process.umask();

    serve();

    expect(process.umask()).toBe(before);
  });

  test("is gone when the server has stopped", async () => {
    await serve()[Symbol.asyncDispose]();

    expect(existsSync(join(directory, "duka.sock"))).toBe(false);
  });

  test("works in a directory whose path is longer than a socket's may be", async () => {
    const deep = join(directory, "x".repeat(100), "y".repeat(100));
    mkdirSync(deep, { recursive: true });
    const log = openLog({ level: "silent" });

    opened.use(serveAdministration({ directory: deep, log, commands: async () => commands }));

    expect(await askServer(deep, "echo", 1)).toEqual({ answered: true, output: 1 });
  });
});

describe("without a server", () => {
  test("a command is not answered in a directory that was never served", async () => {
    expect(await askServer(directory, "echo", 1)).toEqual({ answered: false });
  });

  test("a command is not answered in a directory that does not exist", async () => {
    expect(await askServer(join(directory, "none"), "echo", 1)).toEqual({ answered: false });
  });

  test("a command is not answered where the socket is a plain file", async () => {
    writeFileSync(join(directory, "duka.sock"), "");

    expect(await askServer(directory, "echo", 1)).toEqual({ answered: false });
  });

  test("a command is not answered on the socket of a killed server, and the next server takes it", async () => {
    const program = `Bun.serve({ unix: process.argv[1], fetch: () => new Response() }); console.log("up")`;
    const killed = Bun.spawn([process.execPath, "-e", program, join(directory, "duka.sock")], {
      stdout: "pipe",
    });
    await killed.stdout.getReader().read();
    killed.kill("SIGKILL");
    await killed.exited;
    expect(existsSync(join(directory, "duka.sock"))).toBe(true);
    expect(await askServer(directory, "echo", 1)).toEqual({ answered: false });

    serve();

    expect(await askServer(directory, "echo", 1)).toEqual({ answered: true, output: 1 });
  });
});

test("a server that dies over a command is not taken for one that is absent, and that is said", async () => {
  const program = `Bun.serve({ unix: process.argv[1], fetch: () => process.exit(1) }); console.log("up")`;
  const dying = Bun.spawn([process.execPath, "-e", program, join(directory, "duka.sock")], {
    stdout: "pipe",
  });
  await dying.stdout.getReader().read();

  const failure = await failureOf(askServer(directory, "echo", 1));

  expect(failure).toBeInstanceOf(AnswerLost);
  await dying.exited;
});
