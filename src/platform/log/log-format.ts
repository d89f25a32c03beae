// The form of the log's lines: JSON for programs, text for people at a terminal.

import { styleText } from "node:util";

import { isObject } from "#kernel/assume.ts";

export const logFormats = ["auto", "pretty", "json"] as const;
export type LogFormat = (typeof logFormats)[number];

const colors = { debug: "dim", info: "green", warn: "yellow", error: "red" } as const;
/** A logged value could move the cursor otherwise. */
const CONTROL = /\p{Cc}/gu;

/** Returns true if lines are text: as the format says, with `auto` if stderr is a terminal. */
export function isForPeople(format: LogFormat): boolean {
  return format === "pretty" || (format === "auto" && process.stderr.isTTY);
}

/** The text of a JSON line: time (UTC), level, message and fields, with the stack of an error below. */
export function textOf(line: string): string {
  const { time, level, message, ...fields }: Record<string, unknown> = JSON.parse(line);
  const color = Object.entries(colors).find(([name]) => name === level)?.[1] ?? "dim";
  const shown = styleText(color, String(level).padEnd(5), { stream: process.stderr });
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${valueOf(value)}`);
  const first = `${String(time).slice(11, 19)} ${shown} ${plain([message, ...rest].join(" "))}`;
  const stacks = Object.values(fields).flatMap((value) => stackOf(value).map(plain));
  return `${[first, ...stacks].join("\n")}\n`;
}

function valueOf(value: unknown): string {
  if (isObject(value) && typeof value.stack === "string") return String(value.message);
  return typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

/** Without its first line, which repeats the message. */
function stackOf(value: unknown): string[] {
  if (!isObject(value) || typeof value.stack !== "string") return [];
  return value.stack.split("\n").slice(1);
}

function plain(text: string): string {
  return text.replace(CONTROL, "�");
}
