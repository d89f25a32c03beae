// `duka analytics`: counts the event logs of both modes again.

import type { Command } from "commander";

import { modes } from "#platform/database/shop.ts";

import { administer } from "./administer.ts";
import { numberOrNull } from "./members.ts";
import { readSettings, type SettingOptions } from "./settings.ts";

/** Adds `duka analytics` to the program. */
export function addAnalytics(program: Command): void {
  program
    .command("analytics")
    .description("maintain the figures of GET /v2/analytics/summary")
    .command("rebuild")
    .description("count the event log again; works beside a running server")
    .action((_, command: Command) => rebuildAtTerminal(command.optsWithGlobals<SettingOptions>()));
}

async function rebuildAtTerminal(options: SettingOptions): Promise<void> {
  const config = readSettings(options);
  const counted = await administer(config, { name: "analytics.rebuild", input: {} });
  for (const mode of modes) {
    console.log(`${mode}: counted up to sequence ${numberOrNull(counted, mode) ?? 0}`);
  }
}
