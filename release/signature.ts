// The signature of the sums, made and checked by OpenSSH. The key is a file outside of the repository, which has its
// public part.

import { rmSync } from "node:fs";
import { join } from "node:path";

import { ReleaseFault, root, run } from "./command.ts";

/** Names what is signed, so that a signature made for something else is none of a release. */
const NAMESPACE = "duka-release";
/** The name of the signer in `allowed_signers`. */
const SIGNER = "duka";

/** Writes the signature of a file beside it, with `.sig`, and checks it as those who download do. */
export function sign(file: string, key: string): void {
  const signature = `${file}.sig`;
  // ssh-keygen asks before it writes over one.
  rmSync(signature, { force: true });
  try {
    run(["ssh-keygen", "-Y", "sign", "-n", NAMESPACE, "-f", key, file]);
  } catch (error) {
    throw error instanceof ReleaseFault
      ? new ReleaseFault(`The key of DUKA_RELEASE_KEY cannot sign: ${error.message}`)
      : error;
  }
  const signers = join(root, "release/allowed_signers");
  const known = ["-f", signers, "-I", SIGNER, "-n", NAMESPACE, "-s", signature];
  try {
    run(["ssh-keygen", "-Y", "verify", ...known], { input: file });
  } catch (error) {
    throw error instanceof ReleaseFault
      ? new ReleaseFault("The key of DUKA_RELEASE_KEY is not in release/allowed_signers.")
      : error;
  }
}
