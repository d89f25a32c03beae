// Properties try the same values in every run of `npm test`, so that only a change makes them fail. With RUNS they
// try others, and print the seed of what fails.

import fc from "fast-check";

import { seedOfRun } from "./runs.ts";

fc.configureGlobal({ seed: seedOfRun() });
