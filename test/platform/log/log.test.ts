// The log says what happened, one JSON object per line, and never a secret.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import { isForPeople } from "#platform/log/log-format.ts";
import { type LogFields, type LogOptions, openLog } from "#platform/log/log.ts";

function capture(level: LogOptions["level"] = "debug") {
  const lines: string[] = [];
  const log = openLog({ level, write: (line) => lines.push(line) });
  return { log, lines, last: (): unknown => JSON.parse(lines.at(-1) ?? "null") };
}

describe("a line", () => {
  test("has a level, an instant, a message and its fields", () => {
    const { log, lines, last } = capture();

    log.info("Order placed", { order_id: "ord_1", total: 12 });

    expect(last()).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      message: "Order placed",
      order_id: "ord_1",
      total: 12,
    });
    expect(lines[0]).toEndWith("}\n");
  });

  test("of a child carries the child's fields and its parents'", () => {
    const { log, last } = capture();

    log.child({ request_id: "req_1" }).child({ mode: "test" }).warn("Slow", { ms: 900 });

    expect(last()).toMatchObject({ level: "warn", request_id: "req_1", mode: "test", ms: 900 });
  });

  test("with an error has its message, its stack, its members and its cause", () => {
    const { log, last } = capture();
    const cause = Object.assign(new Error("disk full"), { code: "SQLITE_FULL" });

    log.error("Delivery failed", { error: new TypeError("no answer", { cause }) });

    expect(last()).toMatchObject({
      error: {
        name: "TypeError",
        message: "no answer",
        stack: expect.stringContaining("log.test.ts"),
        cause: { message: "disk full", code: "SQLITE_FULL" },
      },
    });
  });

  test("ends where a field contains itself", () => {
    const { log, last } = capture();
    const loop: Record<string, unknown> = {};
    loop.self = loop;

    log.info("Round and round", { loop, big: 10n });

    expect(last()).toMatchObject({ message: "Round and round", big: "10" });
  });
});

test.each([
  ["a message", "Declined: 4242-4242-4242-4242", {}],
  ["a field", "Declined", { reply: "card 4242 4242 4242 4242 is lost" }],
  ["a number", "Declined", { reply: { number: 4_242_424_242_424_242 } }],
  ["a name of a field", "Declined", { "4242424242424242": true }],
  ["an error", "Declined", { error: new Error("4242.4242.4242.4242") }],
])("a card number in %s is masked", (_, message, fields) => {
  const { log, lines } = capture();

  log.error(message, fields);

  expect(lines.join("")).toContain("[masked]");
  expect(lines.join("").replaceAll(/\D/g, "")).not.toContain("42424242");
});

test("lines below the level are not written", () => {
  const { log, lines } = capture("warn");

  log.debug("a");
  log.info("b");
  log.warn("c");
  log.error("d");

  expect(lines.length).toBe(2);
});

test("a silent log writes nothing", () => {
  const { log, lines } = capture("silent");

  log.error("d");

  expect(lines).toEqual([]);
});

describe("a line for people", () => {
  function printed(message: string, fields: LogFields = {}): string {
    const lines: string[] = [];
    openLog({ level: "info", format: "pretty", write: (line) => lines.push(line) }).warn(
      message,
      fields,
    );
    return lines.join("");
  }

  test("has time, level, message and fields", () => {
    const line = printed("A query was slow.", {
      mode: "test",
      ms: 250,
      tables: ["orders"],
      to: "",
    });

    expect(line).toMatch(
      /^\d\d:\d\d:\d\d warn  A query was slow\. mode=test ms=250 tables=\["orders"\] to=""\n$/,
    );
  });

  test("has the stack of an error below it", () => {
    const [first = "", second = ""] = printed("It failed.", { error: new Error("full") }).split(
      "\n",
    );

    expect(first).toEndWith("It failed. error=full");
    expect(second).toMatch(/^ +at /);
  });

  test("holds no control character of a logged value, and no secret", () => {
    const line = printed("A name\u001B[2J", {
      name: "\u009B2J",
      url: "postgres://ada:hunter2@db/x",
    });

    expect(line.trimEnd()).not.toMatch(/\p{Cc}/u);
    expect(line).not.toContain("hunter2");
  });
});

test("auto means JSON where stderr is no terminal", () => {
  expect(isForPeople("auto")).toBe(process.stderr.isTTY);
  expect([isForPeople("pretty"), isForPeople("json")]).toEqual([true, false]);
});

test("the server's log goes to stderr and leaves stdout to commands", async () => {
  const source = join(import.meta.dir, "../../../src/platform/log/log.ts");
  const program = `import { openLog } from "${source}"; openLog({ level: "info" }).info("Listening"); process.exit(3)`;
  const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe", stderr: "pipe" });

  const [out, error] = [await child.stdout.text(), await child.stderr.text()];

  expect(out).toBe("");
  expect(JSON.parse(error)).toMatchObject({ message: "Listening" });
});

const secrets = [
  "test_sk_8Zr3yT5uWqLk0pXcVbNmAsDfGhJkLqWeRtYuIoPzXcVbNmAsD",
  "live_sk_8Zr3yT5uWqLk0pXcVbNmAsDfGhJkLqWeRtYuIoPzXcVbNmAsD",
  "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
  "rk_test_4eC39HqLyjWDarjtT1zdp7dc",
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "whsec_a+b/c==",
  "Bearer abcdefghijklmnopqrstuvwxyz",
  "Basic dXNlcjpwYXNzd29yZHBhc3N3b3Jk",
  "Cookie: session=abcdefgh; other=1",
  "postgres://ada:hunter2@db.example/shop",
];

/** The part of each secret that must not be found again. */
const cores: readonly string[] = [
  "8Zr3yT5uWq",
  "4eC39HqL",
  "MfKQ9r8G",
  "a+b/c",
  "abcdefgh",
  "dXNlcjpw",
  "hunter2",
];

function leaks(lines: readonly string[]): string[] {
  return cores.filter((core) => lines.join("").includes(core));
}

describe("a secret is masked", () => {
  test.each(secrets)("in a message: %s", (secret) => {
    const { log, lines } = capture();

    log.info(`Seen ${secret}, then more`);

    expect(lines[0]).toContain("[masked]");
    expect(leaks(lines)).toEqual([]);
  });

  test.each(secrets)("inside the fields, however deep: %s", (secret) => {
    const { log, lines } = capture();

    log.info("Seen", { request: { lines: [`x ${secret}`] }, [secret]: 1 });

    expect(leaks(lines)).toEqual([]);
  });

  test.each(secrets)("in an error and its cause: %s", (secret) => {
    const { log, lines } = capture();

    log.error("Failed", { error: new Error(secret, { cause: new Error(secret) }) });

    expect(leaks(lines)).toEqual([]);
  });

  test.each(secrets)("in what a child carries: %s", (secret) => {
    const { log, lines } = capture();

    log.child({ note: secret }).info("Seen");

    expect(leaks(lines)).toEqual([]);
  });

  test.each(["authorization", "Cookie", "set-cookie", "api_key", "password", "cardToken", "otp"])(
    "by the name of its field, %s",
    (name) => {
      const { log, last } = capture();

      log.info("Seen", { headers: { [name]: "abc" }, [name]: ["abc"] });

      expect(last()).toMatchObject({ headers: { [name]: "[masked]" }, [name]: "[masked]" });
    },
  );

  test("among the headers of a request", () => {
    const { log, last } = capture();

    log.info("Seen", { headers: new Headers({ Authorization: "abc", Accept: "text/plain" }) });

    expect(last()).toMatchObject({ headers: { authorization: "[masked]", accept: "text/plain" } });
  });

  test("and what is no secret stays", () => {
    const { log, last } = capture();
    const plain =
      "risk_test_case basic information https://shop.example:8080/a@b ord_01h455vb4pex5v";

    log.info(plain, { plain });

    expect(last()).toMatchObject({ message: plain, plain });
  });
});

describe("a log that is told secrets", () => {
  const secret = 'a "secret" without a form';
  const said = (format: "json" | "pretty") => {
    const lines: string[] = [];
    const log = openLog({
      level: "debug",
      format,
      secrets: ["battery-staple", secret, `${secret}-staple`],
      write: (line) => lines.push(line),
    });
    return { log, lines };
  };

  test.each(["json", "pretty"] as const)("shows none of them in a line of %s", (format) => {
    const { log, lines } = said(format);

    log.child({ [secret]: 1 }).error(`Sent ${secret}`, {
      token_given: "xbattery-staplex",
      error: new Error(secret, { cause: new Error("battery-staple") }),
    });

    const text = lines.join("");
    expect(text).not.toContain("without a form");
    expect(text).not.toContain("battery-staple");
    expect(text).toContain("[masked]");
  });

  test("hides those that it is told later, in its children, too", () => {
    const { log, lines } = said("json");
    const child = log.child({ request_id: "req_1" });

    log.hide(["later-and-longer"]);
    child.info("Sent later-and-longer and battery-staple");

    expect(lines.join("")).toContain("Sent [masked] and [masked]");
  });

  test("shows the rest of the line, which is still JSON", () => {
    const { log, lines } = said("json");

    log.info(`Sent ${secret}.`, { n: 3 });

    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ message: "Sent [masked].", n: 3 });
  });
});
