// Duka as a program with the vendor of tests, for tests that start it.

import { runCommandLine } from "#cli/command-line.ts";

import { scriptedVendor } from "../support/scripted-vendor.ts";

process.exitCode = await runCommandLine(process.argv.slice(2), [scriptedVendor]);
