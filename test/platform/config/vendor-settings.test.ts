// The secrets of gateways in the environment and in files.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";

import { parseConfig } from "#platform/config/config.ts";
import { describeConfig } from "#platform/config/describe-config.ts";
import { ConfigFaults, type SettingFault } from "#platform/process/environment.ts";

import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";

const SECRET = "sk_test_4eC39HqLyjWDarjtT1zdp7dc";
const SIGNING = "whsec_8Zr3yT5uWqLk0pXcVbNm";
const FORMER = "whsec_1Ab2cD3eF4gH5iJ6kL7m";

let scratch: ScratchFolder;

beforeAll(() => {
  scratch = openScratchFolder();
});

afterAll(() => scratch[Symbol.dispose]());

async function fileWith(text: string): Promise<string> {
  const path = join(scratch.path, `${Bun.hash(text)}.secret`);
  await Bun.write(path, text);
  return path;
}

function faultsOf(environment: Record<string, string>): readonly SettingFault[] {
  try {
    parseConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigFaults) return error.faults;
    throw error;
  }
}

describe("the secret of a gateway", () => {
  test("is taken from the environment, with the name of its setting", () => {
    const { vendors } = parseConfig({ DUKA_STRIPE_TEST_SECRET: SECRET });

    expect(vendors["stripe"]?.secret).toEqual({
      test: { text: SECRET, setting: "DUKA_STRIPE_TEST_SECRET" },
      live: null,
    });
  });

  test.each(["", "\n", "\r\n"])("is taken from a file that ends with %j", async (end) => {
    const path = await fileWith(`${SECRET}${end}`);

    const { vendors } = parseConfig({ DUKA_STRIPE_TEST_SECRET_FILE: path });

    expect(vendors["stripe"]?.secret.test).toEqual({
      text: SECRET,
      setting: "DUKA_STRIPE_TEST_SECRET_FILE",
    });
  });

  test("is not taken from both", async () => {
    const path = await fileWith(SECRET);
    const both = { DUKA_STRIPE_TEST_SECRET: SECRET, DUKA_STRIPE_TEST_SECRET_FILE: path };

    expect(faultsOf(both)).toEqual([
      {
        setting: "DUKA_STRIPE_TEST_SECRET_FILE",
        detail: "must not be set together with DUKA_STRIPE_TEST_SECRET",
      },
    ]);
  });

  test.each([
    ["is not there", "/nowhere/secret", "cannot be read"],
    ["is a folder", "/", "cannot be read"],
  ])("is not taken from a file that %s", (_, path, why) => {
    const [fault] = faultsOf({ DUKA_STRIPE_LIVE_SECRET_FILE: path });

    expect(fault?.setting).toBe("DUKA_STRIPE_LIVE_SECRET_FILE");
    expect(fault?.detail).toContain(why);
  });

  test("is not taken from an empty file", async () => {
    const [fault] = faultsOf({ DUKA_STRIPE_LIVE_SECRET_FILE: await fileWith("\n") });

    expect(fault?.detail).toContain("is empty");
  });

  test("is needed beside the secret of its webhooks", () => {
    expect(faultsOf({ DUKA_STRIPE_LIVE_WEBHOOK_SECRET: SIGNING })).toEqual([
      {
        setting: "DUKA_STRIPE_LIVE_WEBHOOK_SECRET",
        detail: "has no effect without DUKA_STRIPE_LIVE_SECRET",
      },
    ]);
  });
});

test("the log knows every secret of gateways, those in files and former ones included", async () => {
  const { log } = parseConfig({
    DUKA_STRIPE_TEST_SECRET: SECRET,
    DUKA_STRIPE_TEST_WEBHOOK_SECRET_FILE: await fileWith(`${SIGNING},${FORMER}\n`),
  });

  expect(log.secrets).toEqual(expect.arrayContaining([SECRET, SIGNING, FORMER]));
});

test("the description of the settings shows no secret of a gateway", async () => {
  const path = await fileWith(SIGNING);

  const shown = describeConfig(
    parseConfig({
      DUKA_STRIPE_TEST_SECRET: SECRET,
      DUKA_STRIPE_TEST_WEBHOOK_SECRET_FILE: path,
    }),
  );

  const values = Object.fromEntries(shown.map(({ name, value }) => [name, value]));
  expect(values).toMatchObject({
    DUKA_STRIPE_TEST_SECRET: "********",
    DUKA_STRIPE_TEST_WEBHOOK_SECRET_FILE: path,
  });
  expect(JSON.stringify(shown)).not.toContain(SIGNING);
});
