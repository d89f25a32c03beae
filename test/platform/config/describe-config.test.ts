// What `duka config` prints: each setting with its value and where it came from.

import { describe, expect, test } from "bun:test";

import { parseConfig } from "#platform/config/config.ts";
import { describeConfig } from "#platform/config/describe-config.ts";
import { allSettings, settings } from "#platform/config/settings.ts";

describe("the description of the settings", () => {
  test("tells where each value came from, the environment before the file", () => {
    const rows = describeConfig(
      parseConfig({ DUKA_PORT: "5000" }, { DUKA_PORT: "6000", DUKA_LOG_LEVEL: "warn" }),
    );

    expect(rows.map(({ name, value, origin }) => `${name} ${value} ${origin}`)).toEqual(
      expect.arrayContaining([
        "DUKA_PORT 5000 environment",
        "DUKA_LOG_LEVEL warn file",
        "DUKA_HOST 127.0.0.1 default",
        "DUKA_ALLOW_PLAIN_HTTP 0 default",
        "DUKA_TRUSTED_PROXIES  default",
      ]),
    );
  });

  test("masks secrets", () => {
    const given = {
      DUKA_DATABASE_URL: { text: "postgres://ada:hunter2@db", origin: "file" },
      DUKA_SMTP_URL: { text: "smtp://ada:hunter2@mail.example", origin: "file" },
    } as const;

    const rows = describeConfig({ ...parseConfig({}), given });

    expect(rows.find((row) => row.name === "DUKA_DATABASE_URL")?.value).toBe("********");
    expect(JSON.stringify(rows)).not.toContain("hunter2");
  });

  test("says the range of every setting and the reason of its default", () => {
    const rows = allSettings;

    expect(rows.filter(({ kind, reason }) => kind.range === "" || reason === "")).toEqual([]);
    expect(settings.idempotencyHours).toMatchObject({
      default: 96,
      unit: "hours",
      kind: { range: "1 to 720" },
    });
  });
});
