// `duka sandbox`: a test shop for a laptop or a test suite, and snapshots of its state.

import { resolve } from "node:path";

import { Argument, type Command, Option } from "commander";

import { withValues } from "#cli/completion.ts";
import { invocation, refuseCommand } from "#cli/mistakes.ts";
import { usagesOf } from "#cli/operator/guide.ts";
import { textMember } from "#cli/operator/members.ts";
import { NoShop } from "#cli/operator/require-shop.ts";
import { type SettingOptions, UsageFault } from "#cli/operator/settings.ts";
import { askServer } from "#platform/operator/ask-server.ts";
import { scenarioFacts, scenarioNames } from "#sandbox/scenarios/scenario-list.ts";

import { doneSentence, STATE_DEFAULT, type StateVerb } from "./quick-state.ts";
import { sandboxDirectories } from "./sandbox-folder.ts";
import { type SandboxOptions, seeds } from "./sandbox-options.ts";

/**
 * Sends a command to a running sandbox: the one whose directory is named, or the only one that runs. Returns the shop's
 * time afterwards. Throws NoShop and UsageFault where it is not clear which sandbox is meant.
 */
async function askSandbox(
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

const nameWidth = Math.max(...scenarioNames.map((name) => name.length));
const scenarioList = scenarioNames
  .map((name) => `  ${name.padEnd(nameWidth)}  ${scenarioFacts[name].meaning}`)
  .join("\n");

/** Adds the commands to the program. */
export function addSandbox(program: Command): void {
  const sandbox = program
    .command("sandbox")
    .description("run a test shop of its own until it is stopped, then throw it away")
    .option("--port <port>", "port to listen on; any free one by default")
    .addOption(withValues(new Option("--seed <seed>", "small (by default), full, or none"), seeds))
    .addOption(
      withValues(
        new Option("--scenario <name>", "what goes on in the shop, see below"),
        scenarioNames,
      ),
    )
    .option("--clock <instant>", "where the shop's clock begins, such as 2030-01-31T12:00:00Z")
    .option("--keep [directory]", "keep the shop in this directory, ./duka-sandbox by default")
    .option("--json", "print where it is as one line of JSON")
    .addHelpText("after", `\nScenarios:\n${scenarioList}`)
    .allowExcessArguments()
    .action(async () => {
      const [word] = sandbox.args;
      if (word !== undefined) refuseCommand(sandbox, word);
      const { runSandbox } = await import("./run-sandbox.ts");
      await runSandbox(sandbox.optsWithGlobals<SandboxOptions>(), usagesOf(program));
    });
  addState(sandbox, "snapshot", "save the state of the running sandbox, its clock too");
  addState(sandbox, "restore", "bring a saved state of the running sandbox back");
}

function addState(sandbox: Command, verb: StateVerb, description: string): void {
  sandbox
    .command(verb)
    .description(description)
    .addArgument(new Argument("[name]", "name of the snapshot").default(STATE_DEFAULT))
    .action(async (name: string, _, command: Command) => {
      const options = command.optsWithGlobals<SettingOptions>();
      console.log(doneSentence(verb, name, await askSandbox(verb, name, options)));
    });
}
