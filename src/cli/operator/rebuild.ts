// `duka analytics rebuild` and `duka books rebuild`: what follows from the event log is made anew from it.

import type { Command } from "commander";

import { modes } from "#platform/database/shop.ts";
import { print } from "#platform/process/output.ts";

import { administer } from "./administer.ts";
import { numberOrNull } from "./members.ts";
import { readSettings, type SettingOptions } from "./settings.ts";

/** Adds the commands to the program; they read the event logs of both modes again. */
export function addRebuilds(program: Command): void {
  program
    .command("analytics")
    .description("maintain the figures of GET /v2/analytics/summary")
    .command("rebuild")
    .description("count the event log again; works beside a running server")
    .action((_, command: Command) =>
      rebuildAtTerminal("analytics.rebuild", command.optsWithGlobals<SettingOptions>()),
    );
  program
    .command("books")
    .description("maintain the books: what is booked of each event, and when")
    .command("rebuild")
    .description("book the event log again; works beside a running server")
    .action((_, command: Command) =>
      rebuildAtTerminal("books.rebuild", command.optsWithGlobals<SettingOptions>()),
    );
}

async function rebuildAtTerminal(name: string, options: SettingOptions): Promise<void> {
  const config = readSettings(options);
  const counted = await administer(config, { name, input: {} });
  for (const mode of modes) {
    print(`${mode}: counted up to sequence ${numberOrNull(counted, mode) ?? 0}`);
  }
}
