// The only module that reads the environment. It reads a file only if the operator names one; a
// `.env` in the working directory is ignored.

import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

import { readGivenText } from "./given-file.ts";

/** A setting that cannot be used. The detail never contains a secret. */
export interface SettingFault {
  readonly setting: string;
  readonly detail: string;
}

/** Thrown before anything starts with these settings. */
export class ConfigFaults extends Error {
  readonly faults: readonly SettingFault[];

  constructor(faults: readonly SettingFault[]) {
    const lines = faults.map((fault) => `  ${fault.setting}: ${fault.detail}`);
    super(["The settings cannot be used:", ...lines].join("\n"));
    this.name = "ConfigFaults";
    this.faults = faults;
  }
}

/** Log levels, from the most to the least verbose. */
export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Settings by name, as the operator wrote them. */
export type Environment = Readonly<Record<string, string>>;

/** An `export` in front is allowed, as in shell scripts. */
const ASSIGNMENT = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/;
const DOUBLE_QUOTED = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/;
const SINGLE_QUOTED = /^'([^']*)'\s*(?:#.*)?$/;
const TRAILING_COMMENT = /(?:^|\s+)#.*$/;

const escapes: Environment = { n: "\n", r: "\r", t: "\t" };

/** The proxy variables that Bun reads. */
const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

/** The variables of this process. */
export function readEnvironment(): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined) variables[name] = value;
  }
  return variables;
}

/**
 * The folder in which programs of this user keep what they can make anew (XDG Base Directory; on macOS its own folder).
 */
export function cacheFolder(): string {
  const named = process.env["XDG_CACHE_HOME"] ?? "";
  if (isAbsolute(named)) return named;
  return join(homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache");
}

/** The option that names a file of settings. */
const FILE_OPTION = "--env-file";

/**
 * Returns true if a setting is given in the environment or in the file that the command line names. For
 * decisions that are made before settings are read. An unreadable file counts as empty here;
 * reading the settings reports it later.
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
 * Removes the proxy variables, so that no request of this process uses a proxy: a proxy would
 * connect to addresses that were not checked. Returns the names that were set.
 */
export function dropProxies(): string[] {
  const dropped = PROXY_VARIABLES.filter((name) => (process.env[name] ?? "") !== "");
  for (const name of [...PROXY_VARIABLES, "no_proxy"]) delete process.env[name];
  process.env["NO_PROXY"] = "*";
  return dropped;
}

/** The variables of a file. Throws ConfigFaults if it cannot be read or parsed. */
export function readEnvironmentFile(file: string): Record<string, string> {
  let text: string;
  try {
    text = readGivenText(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigFaults([{ setting: "--env-file", detail: `cannot be read: ${reason}` }]);
  }
  return parseEnvironmentFile(text, file);
}

/**
 * Parses lines of `NAME=value`. Skips blank lines and `#` comments. Double-quoted values may use \n
 * \r \t and \" escapes, single-quoted ones none. A later line wins. Throws ConfigFaults with the
 * number of every malformed line, never its text.
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

/** The value of an assignment; null if a quote is not closed. */
function parseValue(written: string): string | null {
  if (written.startsWith("'")) return SINGLE_QUOTED.exec(written)?.[1] ?? null;
  if (!written.startsWith('"')) return written.replace(TRAILING_COMMENT, "");
  const quoted = DOUBLE_QUOTED.exec(written)?.[1];
  return quoted?.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter) ?? null;
}

/** The user of the operating system who runs this program; null where the system has none for the user, as in many containers. */
export function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in the list of users still may run commands.
    return null;
  }
}
