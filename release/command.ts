// Runs the programs that a release is made with. What stops a release is told in one sentence.

import { join } from "node:path";

/** The folder of the repository. */
export const root: string = join(import.meta.dir, "..");

/** There is no release; the message is the sentence for whom runs it. */
export class ReleaseFault extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = "ReleaseFault";
  }
}

interface CommandTerms {
  /** The working directory, by default the repository. */
  readonly cwd?: string;
  /** The file that stdin reads; by default the terminal, where a key may need its passphrase. */
  readonly input?: string;
  /** What it means that the command fails. */
  readonly fault?: string;
}

/** Runs a command to its end and returns what it printed, or throws a fault with its last line. */
export function run(
  command: readonly string[],
  { cwd = root, input, fault }: CommandTerms = {},
): string {
  const [name = ""] = command;
  if (Bun.which(name) === null) throw new ReleaseFault(`${name} is not installed.`);
  const stdin = input === undefined ? "inherit" : Bun.file(input);
  const { success, stdout, stderr } = Bun.spawnSync([...command], { cwd, stdin });
  const said = Buffer.concat([stdout, stderr]).toString().trim();
  if (!success) throw new ReleaseFault(`${fault ?? `${name} failed`}: ${said.split("\n").at(-1)}`);
  return stdout.toString();
}

/** The SHA-256 of the bytes, in hexadecimal digits. */
export function sha256(bytes: string | Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
