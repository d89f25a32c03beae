// The server's log: one JSON object per line on stderr, so that stdout stays free for what commands
// print. Every line passes through the mask; pino is seen by this file only.

import pino from "pino";

import { realClock, toIso } from "#kernel/time.ts";
import type { LogLevel } from "#platform/process/log-level.ts";

import { maskFields, maskText } from "./mask-secrets.ts";

const STDERR = 2;

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  /** For whoever looks for a fault. */
  debug(message: string, fields?: LogFields): void;
  /** What the server did of its own accord. */
  info(message: string, fields?: LogFields): void;
  /** What an operator should look at by daylight. */
  warn(message: string, fields?: LogFields): void;
  /** What is broken now. */
  error(message: string, fields?: LogFields): void;
  /** A log whose every line carries these fields, such as a request id. */
  child(fields: LogFields): Log;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** Takes each line with its line break; stderr when absent. */
  readonly write?: (line: string) => void;
}

/** Opens the log. A line is written before the call returns, so that a crash loses none. */
export function openLog({ level, write }: LogOptions): Log {
  const destination =
    write === undefined ? pino.destination({ dest: STDERR, sync: true }) : { write };
  const options: pino.LoggerOptions = {
    level,
    base: null,
    messageKey: "message",
    timestamp: () => `,"time":"${toIso(realClock.now())}"`,
    formatters: { level: (label) => ({ level: label }) },
    // Errors were made plain by the mask; pino's own serializer would look at them again.
    serializers: {},
  };
  return wrap(pino(options, destination));
}

function wrap(logger: pino.Logger): Log {
  const write = (level: Exclude<LogLevel, "silent">, message: string, fields: LogFields = {}) => {
    if (logger.isLevelEnabled(level)) logger[level](maskFields(fields), maskText(message));
  };
  return {
    debug: (message, fields) => write("debug", message, fields),
    info: (message, fields) => write("info", message, fields),
    warn: (message, fields) => write("warn", message, fields),
    error: (message, fields) => write("error", message, fields),
    child: (fields) => wrap(logger.child(maskFields(fields))),
  };
}
