// The files with which a test suite opens a sandbox, one for each language, without dependencies. Invariant: they are texts, which
// this program prints and serves and never runs.

import javascript from "#sandbox/suite/sandbox.js" with { type: "text" };
import python from "#sandbox/suite/sandbox.py" with { type: "text" };

/** By the name with which they are printed; both are served under theirs. */
export const suites = { js: javascript, py: python } as const;
