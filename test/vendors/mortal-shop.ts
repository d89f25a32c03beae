// A program whose gateway is a vendor's face in another process, and which is killed at a given step of a call.

import { openPaystack } from "#payments/gateways/paystack/paystack.ts";
import { openStripe } from "#payments/gateways/stripe/stripe.ts";
import type { Gateway, GatewayCallTerms } from "#payments/port/gateway.ts";
import { parseConfig } from "#platform/config/config.ts";
import { openLog } from "#platform/log/log.ts";
import { type Duka, startDuka } from "#server.ts";

import { databaseSettings } from "../support/postgres-databases.ts";

export type KillPoint =
  "before the name" | "after the name" | "after the answer" | "after the refund" | "never";

const vendors = { stripe: openStripe, paystack: openPaystack } as const;

export type MortalVendor = keyof typeof vendors;

export interface MortalShop {
  /** The data directory. */
  readonly folder: string;
  readonly vendor: MortalVendor;
  /** Where the face listens, and the secret that it takes. */
  readonly address: string;
  readonly secret: string;
  readonly point: string;
}

/** Starts it on a free port of the loopback interface. */
export async function startMortalShop(shop: MortalShop): Promise<Duka> {
  const { folder, point, vendor, ...account } = shop;
  const config = parseConfig({
    DUKA_HOST: "127.0.0.1",
    DUKA_PORT: "0",
    DUKA_DATA_DIR: folder,
    DUKA_RATE_LIMIT_PER_MINUTE: "0",
    DUKA_LOG_LEVEL: "error",
    ...(await databaseSettings(folder)),
  });
  const clock = { now: () => Date.now() };
  const gateway = vendors[vendor]({ mode: "test", clock, webhookSecrets: [], ...account });
  return startDuka(config, {
    log: openLog({ level: config.log.level }),
    gatewaysOf: ({ mode }) => (mode === "test" ? [mortal(gateway, point)] : []),
  });
}

/** The same gateway, which kills its process at the point. */
function mortal(gateway: Gateway, point: string): Gateway {
  const initiate = gateway.initiate.bind(gateway);
  const refund = gateway.refund.bind(gateway);
  const dieAt = (reached: KillPoint) => {
    if (reached === point) process.kill(process.pid, "SIGKILL");
  };
  const naming = (terms: GatewayCallTerms): GatewayCallTerms => ({
    ...terms,
    name: async (names) => {
      dieAt("before the name");
      await terms.name(names);
      dieAt("after the name");
    },
  });
  gateway.initiate = async (attempt, terms) => {
    const answer = await initiate(attempt, naming(terms));
    dieAt("after the answer");
    return answer;
  };
  gateway.refund = async (asked, terms) => {
    const answer = await refund(asked, terms);
    dieAt("after the refund");
    return answer;
  };
  return gateway;
}
