// The only place that reads the environment. A file is read only when the operator names it, never
// because a `.env` happens to lie in the working directory.

import { readFileSync } from "node:fs";

import { ConfigFaults, type SettingFault } from "./setting-faults.ts";

/** Names and values as the operator wrote them. */
export type Environment = Readonly<Record<string, string>>;

/** `export` in front, as shells have it, changes nothing. */
const ASSIGNMENT = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/;
const DOUBLE_QUOTED = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/;
const SINGLE_QUOTED = /^'([^']*)'\s*(?:#.*)?$/;
const TRAILING_COMMENT = /(?:^|\s+)#.*$/;

const escapes: Environment = { n: "\n", r: "\r", t: "\t" };

/** What Bun and the tools around it read of proxies. */
const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

/** The variables of the environment this program was started in. */
export function readEnvironment(): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined) variables[name] = value;
  }
  return variables;
}

/** How a command line names the file of settings. */
const FILE_OPTION = "--env-file";

/**
 * Whether a setting is given in the environment or in the file that this command line names. For what
 * must be known before settings are read; a file that cannot be read gives nothing, and is told later.
 */
export function isSettingGiven(name: string): boolean {
  const isGiven = (variables: Environment) => (variables[name] ?? "").trim() !== "";
  if (isGiven(readEnvironment())) return true;
  const file = namedFile(process.argv);
  if (file === null) return false;
  try {
    return isGiven(readEnvironmentFile(file));
  } catch (error) {
    if (error instanceof ConfigFaults) return false;
    throw error;
  }
}

function namedFile(args: readonly string[]): string | null {
  const at = args.findLastIndex((one) => one === FILE_OPTION || one.startsWith(`${FILE_OPTION}=`));
  if (at < 0) return null;
  const [, joined] = args[at]?.split(/=(.*)/s) ?? [];
  return joined ?? args[at + 1] ?? null;
}

/**
 * From now on no request of this program goes through a proxy that the environment names: such a
 * proxy would connect to addresses that nobody here has judged. Answers the names that were set.
 */
export function dropProxies(): string[] {
  const dropped = PROXY_VARIABLES.filter((name) => (process.env[name] ?? "") !== "");
  for (const name of [...PROXY_VARIABLES, "no_proxy"]) delete process.env[name];
  process.env["NO_PROXY"] = "*";
  return dropped;
}

/** The variables of a file. Throws ConfigFaults when it cannot be read or understood. */
export function readEnvironmentFile(file: string): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigFaults([{ setting: "--env-file", detail: `cannot be read: ${reason}` }]);
  }
  return parseEnvironmentFile(text, file);
}

/**
 * The variables of lines of `NAME=value`. Blank lines and `#` comments are skipped; a double-quoted
 * value knows \n \r \t and \" escapes, a single-quoted one none. A later line wins. Throws
 * ConfigFaults naming every line that is something else, without repeating what it says.
 */
function parseEnvironmentFile(text: string, file: string): Record<string, string> {
  const variables: Record<string, string> = {};
  const faults: SettingFault[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .entries()) {
    const content = line.trim();
    if (content === "" || content.startsWith("#")) continue;
    const [, name, written = ""] = ASSIGNMENT.exec(content) ?? [];
    const value = parseValue(written);
    if (name === undefined || value === null) {
      faults.push({ setting: `${file}:${index + 1}`, detail: "is not a line NAME=value" });
    } else {
      variables[name] = value;
    }
  }
  if (faults.length > 0) throw new ConfigFaults(faults);
  return variables;
}

/** What stands right of the equals sign, null where a quote is not closed. */
function parseValue(written: string): string | null {
  if (written.startsWith("'")) return SINGLE_QUOTED.exec(written)?.[1] ?? null;
  if (!written.startsWith('"')) return written.replace(TRAILING_COMMENT, "");
  const quoted = DOUBLE_QUOTED.exec(written)?.[1];
  return quoted?.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter) ?? null;
}
