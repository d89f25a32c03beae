// Lists that the program knows, printed into the guides: a guide has a marker where a list stands, so
// that no list is kept twice.

import type { RefusalDefinition } from "#kernel/refusal.ts";
import { eventMeanings } from "#messaging/events/event.ts";
import { parseConfig } from "#platform/config/config.ts";
import { describeConfig } from "#platform/config/describe-config.ts";
import { allSettings } from "#platform/config/settings.ts";
import { statusOfKind } from "#platform/http/contract/answer.ts";
import type { States } from "#platform/http/contract/states.ts";
import serviceUnit from "#platform/process/duka.service" with { type: "text" };
import { scenarioFacts, scenarioNames } from "#sandbox/scenarios/scenario-list.ts";
import { expandScopes, grants } from "#shop/keys/scopes.ts";

import { livesText } from "./lives.ts";

/** A command of the command line, as its help has it. */
export interface CommandUsage {
  readonly usage: string;
  readonly does: string;
}

/** The facts that only the joined program knows. */
export interface GuideFacts {
  readonly commands: readonly CommandUsage[];
  readonly refusals: readonly RefusalDefinition[];
  readonly lives: readonly States[];
}

/** The list that each marker stands for, as Markdown. */
const lists: Readonly<Record<string, (facts: GuideFacts) => string>> = {
  settings: settingList,
  commands: ({ commands }) =>
    commands.map(({ usage, does }) => `- ${code(usage)}: ${does}`).join("\n"),
  scopes: scopeTable,
  unit: () => `The unit:\n\n\`\`\`ini\n${serviceUnit}\`\`\``,
  storefront: () => `Its scopes are ${[...expandScopes(["storefront"])].map(code).join(", ")}.`,
  scenarios: () =>
    table(
      ["scenario", "what goes on"],
      scenarioNames.map((name) => [code(name), scenarioFacts[name].meaning]),
    ),
  events: () =>
    table(
      ["event", "means"],
      Object.entries(eventMeanings).map(([name, meaning]) => [code(name), meaning]),
    ),
  lives: ({ lives }) => livesText(lives),
  codes: ({ refusals }) =>
    table(
      ["code", "status", "means"],
      refusals.map(({ code: name, kind, title }) => [
        code(name),
        String(statusOfKind[kind]),
        title,
      ]),
    ),
};

const MARKER = /^<!-- ([a-z]+) -->$/gm;

/** The guide with its lists. Throws where a marker has none. */
export function fillGuide(text: string, facts: GuideFacts): string {
  return text.replaceAll(MARKER, (marker, name: string) => {
    const list = lists[name];
    if (list === undefined) throw new Error(`There is no list for ${marker}.`);
    return list(facts);
  });
}

function settingList(): string {
  const defaults = new Map(describeConfig(parseConfig({})).map(({ name, value }) => [name, value]));
  const items = allSettings.map((setting) => {
    const { name, kind, unit, meaning, reason } = setting;
    const takes = unit === null ? kind.range : `${kind.range}, ${unit}`;
    const value = defaults.get(name) ?? "";
    const fallback = value === "" ? "not set" : code(value);
    return `- ${code(name)}: ${meaning} ${reason} Takes ${takes}. Default: ${fallback}.`;
  });
  return items.join("\n");
}

/** Presets alone: `full` names every scope. */
function scopeTable(): string {
  const rows = grants
    .map((grant) => ({ grant, scopes: [...expandScopes([grant])] }))
    .filter(({ scopes }) => scopes.length > 1)
    .map(({ grant, scopes }) => [code(grant), scopes.map(code).join(" ")]);
  return table(["preset", "scopes"], rows);
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, headings.map(() => "---"), ...rows];
  return lines
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

function code(text: string): string {
  return `\`${text}\``;
}
