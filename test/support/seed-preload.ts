// Properties try the same values in every run, so that only a change makes them fail. SEED=random tries others.

import fc from "fast-check";

import { seedOfRun } from "./runs.ts";

fc.configureGlobal({ seed: seedOfRun() });
