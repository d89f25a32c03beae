// The settings of payments: which gateway is asked first, and where customers are sent afterwards.

import { hosts, names } from "./kinds.ts";
import type { Setting, SettingValue } from "./setting.ts";

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
