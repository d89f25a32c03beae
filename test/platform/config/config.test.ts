// Settings are understood completely or not at all.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { parseConfig, publicUrlAt } from "#platform/config/config.ts";
import { clientAddress } from "#platform/net/addresses.ts";
import { alsoLoopback } from "#platform/net/target-url.ts";
import { ConfigFaults, type SettingFault } from "#platform/process/environment.ts";

let directory = "";
let certificate = "";
let key = "";

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "duka-config-"));
  certificate = join(directory, "certificate.pem");
  key = join(directory, "key.pem");
  writeFileSync(certificate, "certificate");
  writeFileSync(key, "key");
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function faultsOf(environment: Record<string, string>): readonly SettingFault[] {
  try {
    parseConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigFaults) return error.faults;
    throw error;
  }
}

function faultyNames(environment: Record<string, string>): string[] {
  return faultsOf(environment).map((fault) => fault.setting);
}

const none = { test: null, live: null };
const noSecrets = { secret: none, webhookSecret: none };

test("the name of the sandbox that suites use is no setting of a server", () => {
  expect(parseConfig({ DUKA_SANDBOX: "ci" }).given).toEqual({});
});

describe("the port that a platform tells its programs", () => {
  const portOf = (environment: Record<string, string>, file: Record<string, string> = {}) =>
    parseConfig(environment, file).listen.port;

  test("is taken where the shop's own is not set", () => {
    expect(portOf({ PORT: "8080" })).toBe(8080);
    expect(portOf({ PORT: "8080", DUKA_PORT: " " })).toBe(8080);
    expect(portOf({ PORT: "8080" }, { PORT: "9090" })).toBe(8080);
    expect(portOf({}, { PORT: "9090" })).toBe(9090);
  });

  test("stands behind the shop's own, also in a file", () => {
    expect(portOf({ PORT: "8080", DUKA_PORT: "4321" })).toBe(4321);
    expect(portOf({ PORT: "8080" }, { DUKA_PORT: "4321" })).toBe(4321);
  });

  test("is named where it is no port, and counts for nothing where it is empty", () => {
    expect(faultyNames({ PORT: "tcp://10.0.0.1:80" })).toEqual(["PORT"]);
    expect(portOf({ PORT: "" })).toBe(4000);
  });
});

test("without any setting the shop runs on this machine alone", () => {
  expect(parseConfig({})).toEqual({
    given: {},
    listen: { host: "127.0.0.1", port: 4000, tls: null, shutdownMs: 20_000, hosts: "local" },
    acme: null,
    publicUrl: null,
    dashboard: { isServed: true, url: null },
    testReach: alsoLoopback,
    keepsTestDoors: false,
    dataDirectory: resolve("data"),
    media: { folder: resolve("data/media") },
    allowSharedFiles: false,
    modes: ["test", "live"],
    diskReserveMib: null,
    http: {
      requestsPerMinute: 1_000,
      addressReadsPerMinute: 600,
      addressWritesPerMinute: 120,
      storefrontPerMinute: 60_000,
      storefrontServers: [],
      idempotencyMs: 96 * 3_600_000,
      trustedProxies: [],
      corsOrigins: [],
      returnHosts: [],
    },
    gateways: { test: [], live: [] },
    vendors: {
      paystack: { url: null, urlSetting: "DUKA_PAYSTACK_URL", ...noSecrets },
      stripe: { url: null, urlSetting: "DUKA_STRIPE_URL", ...noSecrets },
    },
    secretKey: null,
    securityContact: null,
    metricsToken: null,
    mail: { server: null, from: null },
    log: { level: "info", format: "auto", secrets: [] },
    backup: { schedule: null, folder: resolve("data/backups"), keep: 7, copies: null },
    server: null,
  });
});

test("every setting is taken as it was written", () => {
  const config = parseConfig({
    DUKA_HOST: "0.0.0.0",
    DUKA_PORT: "0",
    DUKA_DATA_DIR: "/srv/duka",
    DUKA_PUBLIC_URL: "https://shop.example/duka/",
    DUKA_DASHBOARD: "off",
    DUKA_DASHBOARD_URL: "https://office.example/",
    DUKA_RATE_LIMIT_PER_MINUTE: "0",
    DUKA_IDEMPOTENCY_HOURS: "24",
    DUKA_TLS_CERT: certificate,
    DUKA_TLS_KEY: key,
    DUKA_CORS_ORIGINS: "https://shop.example, http://localhost:5173, http://localhost:*",
    DUKA_LOG_LEVEL: "debug",
    DUKA_SHUTDOWN_SECONDS: "5",
    DUKA_BACKUP_SCHEDULE: "30 3 * * *",
    DUKA_BACKUP_FOLDER: "/mnt/backups",
    DUKA_BACKUP_KEEP: "14",
  });

  expect(config.listen).toEqual({
    host: "0.0.0.0",
    port: 0,
    tls: { certificatePath: certificate, keyPath: key },
    shutdownMs: 5_000,
    hosts: "any",
  });
  expect(config.dataDirectory).toBe("/srv/duka");
  expect(config.publicUrl).toBe("https://shop.example/duka");
  expect(config.dashboard).toEqual({ isServed: false, url: "https://office.example" });
  expect(config.http).toMatchObject({
    requestsPerMinute: 0,
    idempotencyMs: 24 * 3_600_000,
    corsOrigins: ["https://shop.example", "http://localhost:5173", "http://localhost:*"],
  });
  expect(config.log.level).toBe("debug");
  expect(config.backup).toMatchObject({ schedule: "30 3 * * *", folder: "/mnt/backups", keep: 14 });
});

test("named proxies are trusted with the client's address", () => {
  const { http } = parseConfig({ DUKA_TRUSTED_PROXIES: "10.0.0.0/8, ::1" });

  expect(clientAddress("10.0.0.1", "203.0.113.9", http.trustedProxies)).toBe("203.0.113.9");
  expect(clientAddress("::1", "203.0.113.9", http.trustedProxies)).toBe("203.0.113.9");
});

test("the values of secret settings are known to the log, so that no line shows them", () => {
  const former = Buffer.alloc(32, 7).toString("base64");
  const present = Buffer.alloc(32, 9).toString("base64");

  const { log } = parseConfig({
    DUKA_METRICS_TOKEN: "correct-horse-battery",
    DUKA_SECRET_KEY: `${present},${former}`,
    DUKA_PORT: "4001",
  });

  expect(new Set(log.secrets)).toEqual(
    new Set(["correct-horse-battery", `${present},${former}`, present, former]),
  );
});

test("gateways are asked in the order of their names, in each mode its own", () => {
  const { gateways } = parseConfig({
    DUKA_GATEWAYS: "paystack, stripe",
    DUKA_TEST_GATEWAYS: "stripe,simulated",
  });

  expect(gateways).toEqual({ live: ["paystack", "stripe"], test: ["stripe", "simulated"] });
});

test("an empty setting is one that is not set", () => {
  expect(parseConfig({ DUKA_PORT: "", DUKA_TLS_CERT: " " }).listen).toEqual(parseConfig({}).listen);
});

test("variables of other programs are left alone", () => {
  expect(faultsOf({ PATH: "/bin", DUKAS_PORT: "x", PORT: "80" })).toEqual([]);
});

test("settings cannot be changed afterwards", () => {
  const config = parseConfig({ DUKA_CORS_ORIGINS: "https://shop.example" });

  expect(Object.isFrozen(config)).toBe(true);
  expect(Object.isFrozen(config.listen)).toBe(true);
  expect(Object.isFrozen(config.http.corsOrigins)).toBe(true);
});

describe("a fault", () => {
  test("is reported together with all others", () => {
    const names = faultyNames({
      DUKA_PORT: "70000",
      DUKA_LOG_LEVEL: "loud",
      DUKA_CORS_ORIGINS: "*",
      DUKA_ALLOW_PLAIN_HTTP: "yes",
      DUKA_HOTS: "::1",
    });

    expect(names.toSorted()).toEqual([
      "DUKA_ALLOW_PLAIN_HTTP",
      "DUKA_CORS_ORIGINS",
      "DUKA_HOTS",
      "DUKA_LOG_LEVEL",
      "DUKA_PORT",
    ]);
  });

  test("stands in the message, setting and reason", () => {
    expect(() => parseConfig({ DUKA_PORT: "http" })).toThrow(
      'DUKA_PORT: "http" is not a whole number from 0 to 65535',
    );
  });

  test.each([
    ["DUKA_CORS_ORIGINS", "https://a.example,b.example", "entry 2 must begin with http"],
    [
      "DUKA_CORS_ORIGINS",
      "https://a.example,https://ada:secret@b.example",
      "entry 2 must not contain",
    ],
    ["DUKA_CORS_ORIGINS", "https://a.example,,https://b.example", "entry 2 is empty"],
    ["DUKA_GATEWAYS", "paystack,Stripe", '"Stripe" is not a name'],
    ["DUKA_TEST_GATEWAYS", "stripe,simulated,stripe", '"stripe" is named twice'],
    ["DUKA_TRUSTED_PROXIES", "10.0.0.1,10.0.0.0/33", '"10.0.0.0/33" is neither'],
    ["DUKA_PUBLIC_URL", "https://shop.example:99999", "has an invalid host or port"],
    ["DUKA_BACKUP_SCHEDULE", "30 3 * *", "has 4 fields, not five"],
    ["DUKA_BACKUP_SCHEDULE", "30 25 * * *", "25"],
    ["DUKA_METRICS_TOKEN", "short", "has 5 characters, not 16 to 256"],
    ["DUKA_METRICS_TOKEN", "twenty letters, spaced", "has a space"],
    [
      "DUKA_CORS_ORIGINS",
      "http://localhost:*, https://*.shop.example",
      '"https://*.shop.example" has',
    ],
    ["DUKA_CORS_ORIGINS", "https://localhost:*", "the only one is http://localhost:*"],
    ["DUKA_SECRET_KEY", "c2hvcnQ=", "has 5 bytes, not 32"],
    ["DUKA_SECRET_KEY", "!", "is not base64"],
    ["DUKA_DATABASE_URL", "mysql://ada@db/shop", "must begin with postgres://"],
    ["DUKA_DATABASE_URL", "postgres://db/shop", "names no user"],
    ["DUKA_DATABASE_URL", "postgres://ada@/shop", "names no host"],
    ["DUKA_DATABASE_URL", "postgres://ada@db", "names no database"],
    ["DUKA_DATABASE_URL", "postgres://ada:p@ss@db/shop", "%40"],
    ["DUKA_DATABASE_URL", "postgres://ada@one,two:0/shop", "host 2 has an invalid port"],
    ["DUKA_DATABASE_URL", "postgres://ada@[one/shop", "host 1 is neither name nor address"],
    ["DUKA_DATABASE_URL", "postgres://ada@db/shop?sslmode=on", "sslmode"],
  ])("names the part of %s=%s that is wrong", (name, text, part) => {
    expect(() => parseConfig({ [name]: text })).toThrow(part);
  });

  test.each([
    ["DUKA_PORT", "-1"],
    ["DUKA_PORT", "65536"],
    ["DUKA_PORT", "4e3"],
    ["DUKA_PORT", "0x50"],
    ["DUKA_RATE_LIMIT_PER_MINUTE", "1000001"],
    ["DUKA_IDEMPOTENCY_HOURS", "0"],
    ["DUKA_IDEMPOTENCY_HOURS", "721"],
    ["DUKA_IDEMPOTENCY_HOURS", "1.5"],
    ["DUKA_SHUTDOWN_SECONDS", "601"],
    ["DUKA_SHUTDOWN_SECONDS", "20s"],
    ["DUKA_HOST", "127.1"],
    ["DUKA_HOST", "http://localhost"],
    ["DUKA_HOST", "[::1]"],
    ["DUKA_LOG_LEVEL", "INFO"],
    ["DUKA_ALLOW_PLAIN_HTTP", "true"],
    ["DUKA_DASHBOARD", "1"],
    ["DUKA_DASHBOARD_URL", "office.example"],
    ["DUKA_DASHBOARD_URL", "https://office.example/?a=1"],
    ["DUKA_DASHBOARD_URL", "https://office.example/duka"],
    ["DUKA_PUBLIC_URL", "https://shop.example/duka"],
    ["DUKA_PUBLIC_URL", "shop.example"],
    ["DUKA_PUBLIC_URL", "ftp://shop.example"],
    ["DUKA_PUBLIC_URL", "https://shop.example/?a=1"],
    ["DUKA_PUBLIC_URL", "https://ada:secret@shop.example"],
    ["DUKA_CORS_ORIGINS", "https://shop.example/"],
    ["DUKA_CORS_ORIGINS", "https://shop.example/path"],
    ["DUKA_CORS_ORIGINS", "shop.example"],
    ["DUKA_CORS_ORIGINS", "https://a.example,,https://b.example"],
    ["DUKA_CORS_ORIGINS", "null"],
    ["DUKA_TRUSTED_PROXIES", "proxy.example"],
    ["DUKA_TRUSTED_PROXIES", "0.0.0.0/0"],
    ["DUKA_TRUSTED_PROXIES", ","],
    ["DUKA_BACKUP_SCHEDULE", "03:30"],
    ["DUKA_BACKUP_SCHEDULE", "* * * * * *"],
    ["DUKA_BACKUP_SCHEDULE", "61 * * * *"],
    ["DUKA_BACKUP_SCHEDULE", "0 0 30 2 *"],
    ["DUKA_BACKUP_KEEP", "0"],
  ])("is %s=%s", (name, text) => {
    expect(faultyNames({ [name]: text })).toEqual([name]);
  });

  test("of a secret does not repeat it", () => {
    const environment = {
      DUKA_DATABASE_URL: "postgres://ada:hunter2@db",
      DUKA_PUBLIC_URL: "https://ada:hunter2@shop.example",
    };

    expect(JSON.stringify(faultsOf(environment))).not.toContain("hunter2");
  });
});

describe("an unknown setting", () => {
  test.each([
    ["DUKA_PROT", "DUKA_PORT"],
    ["DUKA_HOSTNAME", "DUKA_HOST"],
    ["DUKA_DATA_DIRECTORY", "DUKA_DATA_DIR"],
    ["DUKA_RATE_LIMIT", "DUKA_RATE_LIMIT_PER_MINUTE"],
    ["DUKA_CORS_ORIGIN", "DUKA_CORS_ORIGINS"],
  ])("%s is refused in favor of %s", (written, meant) => {
    expect(faultsOf({ [written]: "x" })).toEqual([
      { setting: written, detail: `is not a setting; did you mean ${meant}?` },
    ]);
  });

  test("like no other is refused without a guess", () => {
    expect(faultsOf({ DUKA_QUUX_ZYZZY: "x" })).toEqual([
      { setting: "DUKA_QUUX_ZYZZY", detail: "is not a setting" },
    ]);
  });
});

describe("PostgreSQL", () => {
  test("is where its address says, and never replaced by files", () => {
    const { server } = parseConfig({
      DUKA_DATABASE_URL: "postgres://ada:a%40b@db:6000/shop?sslmode=prefer",
    });

    expect(server?.address).toMatchObject({
      hosts: [{ hostname: "db", port: 6000 }],
      username: "ada",
      password: "a@b",
      database: "shop",
    });
  });

  test("may be on several hosts, of which one is the primary", () => {
    const { server } = parseConfig({
      DUKA_DATABASE_URL: "postgres://ada@one,[::1]:6000/shop?sslmode=prefer",
    });

    expect(server?.address.hosts).toEqual([
      { hostname: "one", port: 5432 },
      { hostname: "::1", port: 6000 },
    ]);
  });

  test.each([
    "mysql://ada@db/shop",
    "postgres://db/shop",
    "postgres://ada@db",
    "postgres://ada@db:0/shop",
    "postgres://ada@db/shop?sslmode=sometimes",
    "postgres://ada@db/shop?pool=4",
    "postgres://ada:50%@db/shop",
  ])("is refused by an address that cannot be one: %s", (url) => {
    const [fault] = faultsOf({ DUKA_DATABASE_URL: url });

    expect(fault?.setting).toBe("DUKA_DATABASE_URL");
    expect(fault?.detail).not.toContain(url);
  });

  test.each(["db.example", "10.0.0.5", "127.0.0.1,db.example", "[2001:db8::1]"])(
    "at %s needs an sslmode",
    (hosts) => {
      const url = `postgres://ada:hunter2@${hosts}/shop`;

      const [fault, ...others] = faultsOf({ DUKA_DATABASE_URL: url });

      expect(fault?.setting).toBe("DUKA_DATABASE_URL");
      expect(fault?.detail).toContain("?sslmode=verify-full");
      expect(fault?.detail).not.toContain("hunter2");
      expect(others).toEqual([]);
      expect(faultsOf({ DUKA_DATABASE_URL: `${url}?sslmode=disable` })).toEqual([]);
    },
  );

  test.each(["localhost", "127.0.0.1", "127.8.0.1,[::1]"])(
    "on this machine, %s, needs no sslmode",
    (hosts) => {
      expect(faultsOf({ DUKA_DATABASE_URL: `postgres://ada@${hosts}/shop` })).toEqual([]);
    },
  );

  test("is not backed up by a schedule for files", () => {
    const faults = faultsOf({
      DUKA_DATABASE_URL: "postgres://ada@db/shop?sslmode=verify-full",
      DUKA_BACKUP_SCHEDULE: "30 3 * * *",
    });

    expect(faults.map(({ setting }) => setting)).toEqual(["DUKA_BACKUP_SCHEDULE"]);
  });

  test("has no connections where it is not named", () => {
    const faults = faultsOf({ DUKA_DATABASE_CONNECTIONS: "40" });

    expect(faults.map(({ setting }) => setting)).toEqual(["DUKA_DATABASE_CONNECTIONS"]);
  });
});

describe("TLS", () => {
  test("needs a key to its certificate", () => {
    expect(faultsOf({ DUKA_TLS_CERT: certificate })).toEqual([
      { setting: "DUKA_TLS_KEY", detail: "must be set with DUKA_TLS_CERT" },
    ]);
  });

  test("needs a certificate to its key", () => {
    expect(faultyNames({ DUKA_TLS_KEY: key })).toEqual(["DUKA_TLS_CERT"]);
  });

  test("needs files that are there", () => {
    const missing = join(directory, "missing.pem");

    expect(faultyNames({ DUKA_TLS_CERT: missing, DUKA_TLS_KEY: directory })).toEqual([
      "DUKA_TLS_CERT",
      "DUKA_TLS_KEY",
    ]);
  });
});

describe("a host on the network", () => {
  test.each(["0.0.0.0", "::", "192.168.1.2", "shop.example"])("%s needs TLS", (host) => {
    expect(faultyNames({ DUKA_HOST: host })).toEqual(["DUKA_HOST"]);
  });

  test.each([
    ["an own certificate", () => ({ DUKA_TLS_CERT: certificate, DUKA_TLS_KEY: key })],
    ["a proxy in front", () => ({ DUKA_TRUSTED_PROXIES: "10.0.0.1" })],
    ["the operator's word", () => ({ DUKA_ALLOW_PLAIN_HTTP: "1" })],
  ])("is served with %s", (_, settled) => {
    expect(faultyNames({ DUKA_HOST: "0.0.0.0", ...settled() })).toEqual([]);
  });

  test.each(["localhost", "127.0.0.2", "::1"])("is not what %s is", (host) => {
    expect(faultyNames({ DUKA_HOST: host })).toEqual([]);
  });

  test("with a mistyped proxy has one fault, the proxy", () => {
    expect(faultyNames({ DUKA_HOST: "0.0.0.0", DUKA_TRUSTED_PROXIES: "10.0.0.x" })).toEqual([
      "DUKA_TRUSTED_PROXIES",
    ]);
  });
});

describe("the public URL", () => {
  test.each([
    [{}, "http://127.0.0.1:4321"],
    [{ DUKA_HOST: "::1" }, "http://[::1]:4321"],
    [{ DUKA_HOST: "0.0.0.0", DUKA_ALLOW_PLAIN_HTTP: "1" }, "http://localhost:4321"],
    [{ DUKA_PUBLIC_URL: "https://shop.example" }, "https://shop.example"],
  ])("with %j is %s", (environment: Record<string, string>, expected) => {
    expect(publicUrlAt(parseConfig(environment), 4321)).toBe(expected);
  });

  test("is https with a certificate", () => {
    const config = parseConfig({ DUKA_TLS_CERT: certificate, DUKA_TLS_KEY: key });

    expect(publicUrlAt(config, 4321)).toBe("https://127.0.0.1:4321");
  });
});
