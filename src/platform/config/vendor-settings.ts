// The settings of the vendors of gateways: for each its secrets in each mode, given as they are or in a file, and the
// address of its API. What a secret looks like is known where gateways are made of it.

import { type Mode, modes } from "#platform/database/shop.ts";

import {
  hosts,
  names,
  path,
  publicUrl,
  secrets,
  type Setting,
  type SettingValue,
} from "./setting.ts";

/** The vendors that have settings, by the ids of their gateways: their names, and what signs their notices. */
const vendorNames = {
  paystack: { name: "Paystack", signsWith: "secret" },
  stripe: { name: "Stripe", signsWith: "webhook secret" },
} as const;

/** A secret that is given, or the path of a file that contains it. */
export interface SecretSetting {
  readonly value: Setting<string>;
  readonly file: Setting<string>;
}

interface VendorSettings {
  readonly id: string;
  readonly url: Setting<string>;
  readonly secret: Readonly<Record<Mode, SecretSetting>>;
  /** Null for a vendor that signs notices with its secret. */
  readonly webhookSecret: Readonly<Record<Mode, SecretSetting>> | null;
}

/** The settings of each vendor. */
export const vendors: readonly VendorSettings[] = Object.entries(vendorNames).map(
  ([id, { name, signsWith }]) => ({
    id,
    url: {
      name: `DUKA_${id.toUpperCase()}_URL`,
      kind: publicUrl,
      default: null,
      unit: null,
      meaning: `The address of the API of ${name}; another one than its own is for test secrets alone.`,
      reason: `By default ${name}'s own: a live secret is sent nowhere else.`,
    },
    secret: {
      test: secretSetting(`DUKA_${id.toUpperCase()}_TEST_SECRET`, {
        meaning: `The secret key of test mode of ${name}.`,
        reason: "By default what `duka gateways set` stored; the environment comes before it.",
      }),
      live: secretSetting(`DUKA_${id.toUpperCase()}_LIVE_SECRET`, {
        meaning: `The secret key of live mode of ${name}; needs DUKA_PUBLIC_URL with https.`,
        reason: "By default what `duka gateways set` stored; the environment comes before it.",
      }),
    },
    webhookSecret: signsWith === "secret" ? null : webhookSecretSettings(id, name),
  }),
);

function webhookSecretSettings(id: string, name: string): Readonly<Record<Mode, SecretSetting>> {
  return {
    test: secretSetting(`DUKA_${id.toUpperCase()}_TEST_WEBHOOK_SECRET`, {
      meaning: `The secret with which ${name} signs its notices of test mode.`,
      reason: "Without it notices are refused, and payments are polled.",
    }),
    live: secretSetting(`DUKA_${id.toUpperCase()}_LIVE_WEBHOOK_SECRET`, {
      meaning: `The same for live mode.`,
      reason: "The former one may follow after a comma until the vendor has ended it.",
    }),
  };
}

/** All of them in one list. */
export const vendorSettings: readonly Setting<string>[] = vendors.flatMap(
  ({ url, secret, webhookSecret }) => [
    ...modes
      .flatMap((mode) => [secret[mode], ...(webhookSecret === null ? [] : [webhookSecret[mode]])])
      .flatMap(({ value, file }) => [value, file]),
    url,
  ],
);

/** A secret that is a setting, or in a file that a setting names. */
export function secretSetting(
  name: `DUKA_${string}`,
  words: Pick<Setting<string>, "meaning" | "reason"> & Partial<Pick<Setting<string>, "kind">>,
): SecretSetting {
  const value: Setting<string> = {
    name,
    kind: secrets,
    default: null,
    unit: null,
    ...words,
    isSecret: true,
  };
  const file: Setting<string> = {
    name: `${value.name}_FILE`,
    kind: path,
    default: null,
    unit: null,
    meaning: `A file with the value of ${value.name}.`,
    reason: "For secrets that are files, as containers have them; one of both is set.",
  };
  return { value, file };
}

/** The settings of payments: which gateway is asked first, and where customers are sent afterwards. */
export const paymentSettings = {
  gateways: {
    name: "DUKA_GATEWAYS",
    kind: names,
    default: [],
    unit: null,
    meaning:
      "The order in which the gateways of live mode are asked: the first that takes a payment gets it.",
    reason: "By default the order of the program; a gateway that is not named comes after those.",
  },
  testGateways: {
    name: "DUKA_TEST_GATEWAYS",
    kind: names,
    default: [],
    unit: null,
    meaning: "The same for test mode, where one of them is simulated.",
    reason: "By default simulated is the first: a test reaches nothing outside.",
  },
  returnHosts: {
    name: "DUKA_RETURN_HOSTS",
    kind: hosts,
    default: null,
    unit: null,
    meaning:
      "The hosts to which a page with a publishable key may send customers after a payment; in test mode any host, unless the store enforces limits.",
    reason: "By default those of DUKA_CORS_ORIGINS: a stranger could send customers elsewhere.",
  },
} satisfies Readonly<Record<string, Setting<SettingValue>>>;
