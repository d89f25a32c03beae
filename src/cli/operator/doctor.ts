// `duka doctor`: what the shop and its server lack, as the running server sees it; without one, as far as it can be told.

import { styleText } from "node:util";

import type { Config } from "#platform/config/config.ts";
import { askServer, CommandFailed } from "#platform/operator/ask-server.ts";
import { print } from "#platform/process/output.ts";

import { retryWhileStarting } from "./administer.ts";
import { textMember, textOrNull } from "./members.ts";
import { type JsonOptions, readSettings } from "./settings.ts";
import { printable } from "./table.ts";

const colors = { ok: "green", todo: "yellow", fail: "red", unknown: "gray" } as const;

/** Prints what every check found; true where none fails. */
export async function examineAtTerminal(options: JsonOptions): Promise<boolean> {
  const rows = await examine(readSettings(options));
  print(options.json === true ? JSON.stringify({ checks: rows }, null, 2) : pageOf(rows));
  return rows.every((row) => textMember(row, "state") !== "fail");
}

async function examine(config: Config): Promise<readonly unknown[]> {
  const answer = await retryWhileStarting(
    () => askServer(config.dataDirectory, "doctor", null),
    (error) => error instanceof CommandFailed && error.code === "server_starting",
  );
  if (answer.answered) return Array.isArray(answer.output) ? answer.output : [];
  const { lookWithoutServer } = await import("#open-checks.ts");
  return lookWithoutServer(config, (check, error) => {
    console.error(`${check}: ${error instanceof Error ? error.message : String(error)}`);
  });
}

/** The rows, each area after an empty line, and how many are left. */
function pageOf(rows: readonly unknown[]): string {
  const count = (state: string) => rows.filter((row) => textMember(row, "state") === state).length;
  const width = Math.max(...rows.map((row) => textMember(row, "check").length));
  const areas = Map.groupBy(rows, (row) => textMember(row, "area"));
  const parts = [...areas.values()].map((group) =>
    group.map((row) => linesOf(row, width)).join("\n"),
  );
  return [...parts, `${count("fail")} failing, ${count("todo")} to do.`].join("\n\n");
}

function linesOf(row: unknown, width: number): string {
  const state = textMember(row, "state");
  const color = Object.entries(colors).find(([name]) => name === state)?.[1] ?? "gray";
  const mark = styleText(color, state.padEnd("unknown".length), { stream: process.stdout });
  const remedy = textOrNull(row, "do");
  const indent = " ".repeat("unknown".length + width + 4);
  const lines = [
    `${mark}  ${textMember(row, "check").padEnd(width)}  ${printable(textMember(row, "found"))}`,
    ...(remedy === null ? [] : [`${indent}${printable(remedy)}`]),
  ];
  return lines.join("\n");
}
