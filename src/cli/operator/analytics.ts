// `duka analytics`: the figures of both modes, made anew from their logs.

import type { Command } from "commander";

import { modes } from "#platform/database/shop.ts";

import { administer } from "./administer.ts";
import { numberOrNull } from "./members.ts";
import { readSettings, type SettingOptions } from "./settings.ts";

/** Adds its commands to the program. */
export function addAnalytics(program: Command): void {
  program
    .command("analytics")
    .description("look after the figures of GET /v2/analytics/summary")
    .command("rebuild")
    .description("count the whole log anew; works beside a running server")
    .action((_, command: Command) => rebuildAtTerminal(command.optsWithGlobals<SettingOptions>()));
}

async function rebuildAtTerminal(options: SettingOptions): Promise<void> {
  const config = readSettings(options);
  const counted = await administer(config, "analytics.rebuild", {});
  for (const mode of modes) {
    console.log(`${mode}: counted up to sequence ${numberOrNull(counted, mode) ?? 0}`);
  }
}
