// Sends a command to a running sandbox: the one whose directory is named, or the only one that runs.

import { resolve } from "node:path";

import { invocation } from "#cli/invocation.ts";
import { textMember } from "#cli/operator/members.ts";
import { NoShop } from "#cli/operator/require-shop.ts";
import { type SettingOptions, UsageFault } from "#cli/operator/settings.ts";
import { askServer } from "#platform/operator/ask-server.ts";

import type { StateVerb } from "./quick-state.ts";
import { sandboxDirectories } from "./sandbox-folder.ts";

/** Returns the shop's time afterwards. Throws NoShop and UsageFault where it is not clear which sandbox is meant. */
export async function askSandbox(
  verb: StateVerb,
  name: string,
  { dataDir }: SettingOptions,
): Promise<string> {
  const directory = dataDir === undefined ? await onlyRunning() : resolve(dataDir);
  const answer = await askServer(directory, `sandbox.${verb}`, { name });
  if (!answer.answered) throw new NoShop(`No sandbox runs at ${directory}. ${start}`);
  return textMember(answer.output, "clock");
}

const start = `Start one with "${invocation} sandbox", or name its directory with --data-dir.`;

async function onlyRunning(): Promise<string> {
  const running: string[] = [];
  for (const directory of sandboxDirectories()) {
    const { answered } = await askServer(directory, "server.address", null);
    if (answered) running.push(directory);
  }
  const [only, ...others] = running;
  if (only === undefined) throw new NoShop(`No sandbox runs here. ${start}`);
  if (others.length === 0) return only;
  throw new UsageFault(
    `Several sandboxes run. Name the directory of one with --data-dir: ${running.join(", ")}.`,
  );
}
