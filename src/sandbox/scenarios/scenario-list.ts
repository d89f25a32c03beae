// The scenarios that a sandbox can have, as the command line and a guide name them. What sets them up is loaded with a
// sandbox alone.

export const scenarioNames = ["slow-gateway", "low-stock", "flash-sale", "webhook-down"] as const;
export type ScenarioName = (typeof scenarioNames)[number];

interface ScenarioFacts {
  readonly meaning: string;
  /** True if it is about what the shop sells. */
  readonly needsProducts?: true;
}

export const scenarioFacts: Readonly<Record<ScenarioName, ScenarioFacts>> = {
  "slow-gateway": {
    meaning: "each payment is processing for 30 seconds before it is decided",
  },
  "low-stock": {
    meaning: "one variant is sold out, and two units are left of each other one",
    needsProducts: true,
  },
  "flash-sale": {
    meaning: "everything costs half for one hour",
  },
  "webhook-down": {
    meaning: "a webhook for all events, whose receiver answers 503",
  },
};
