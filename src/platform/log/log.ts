// The log: one JSON object per line on stderr, or text for people; stdout is for the output of commands.
// Every line is masked. Only this module uses pino.

import pino from "pino";

import { realClock, toIso } from "#kernel/time.ts";
import type { LogLevel } from "#platform/process/environment.ts";
import { lazy } from "#platform/process/lazy.ts";

import { isForPeople, type LogFormat, textOf } from "./log-format.ts";
import { hideTexts, maskFields, maskText } from "./mask-secrets.ts";

const STDERR = 2;

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  /** Details for finding a fault. */
  debug(message: string, fields?: LogFields): void;
  /** Actions of the server itself. */
  info(message: string, fields?: LogFields): void;
  /** Problems that can wait for working hours. */
  warn(message: string, fields?: LogFields): void;
  /** Faults that need attention now. */
  error(message: string, fields?: LogFields): void;
  /** A log that adds these fields to every line, such as a request id. */
  child(fields: LogFields): Log;
  /** From now on no line of this log or of its children shows these texts, wherever they stand. */
  hide(secrets: readonly string[]): void;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** JSON by default. */
  readonly format?: LogFormat;
  /** Texts that no line shows from the first one on, such as the values of secret settings. */
  readonly secrets?: readonly string[];
  /** Receives each line with its line break; stderr by default. */
  readonly write?: (line: string) => void;
}

/** Opens the log. Lines are written synchronously, so that a crash loses none. */
export function openLog({ level, format = "json", secrets = [], write }: LogOptions): Log {
  const writeLine = write ?? stderrWriter();
  const hidden = new Set(secrets);
  let hide = hideTexts([...hidden]);
  const hideMore = (more: readonly string[]) => {
    for (const secret of more) hidden.add(secret);
    hide = hideTexts([...hidden]);
  };
  const destination = isForPeople(format)
    ? { write: (line: string) => writeLine(textOf(hide(line))) }
    : { write: (line: string) => writeLine(hide(line)) };
  const options: pino.LoggerOptions = {
    level,
    base: null,
    messageKey: "message",
    timestamp: () => `,"time":"${toIso(realClock.now())}"`,
    formatters: { level: (label) => ({ level: label }) },
    // maskFields has already converted errors; pino's serializer would convert them again.
    serializers: {},
  };
  return wrap(
    lazy(() => pino(options, destination)),
    hideMore,
  );
}

/**
 * Writes to stderr. A line that cannot be written, because the disk of the log is full, is lost: what it tells of
 * must not fail with it.
 */
function stderrWriter(): (line: string) => void {
  let stderr: ReturnType<typeof pino.destination> | null = null;
  return (line) => {
    try {
      stderr ??= pino.destination({ dest: STDERR, sync: true });
      stderr.write(line);
    } catch {
      // It keeps what it could not write, without a limit; another one begins with nothing.
      stderr = null;
    }
  };
}

function wrap(open: () => pino.Logger, hide: Log["hide"]): Log {
  const write = (level: Exclude<LogLevel, "silent">, message: string, fields: LogFields = {}) => {
    const logger = open();
    if (logger.isLevelEnabled(level)) logger[level](maskFields(fields), maskText(message));
  };
  return {
    debug: (message, fields) => write("debug", message, fields),
    info: (message, fields) => write("info", message, fields),
    warn: (message, fields) => write("warn", message, fields),
    error: (message, fields) => write("error", message, fields),
    child: (fields) =>
      wrap(
        lazy(() => open().child(maskFields(fields))),
        hide,
      ),
    hide,
  };
}
