// `duka sandbox`: a test shop for a laptop or a test suite, and snapshots of its state.

import { resolve } from "node:path";

import { Argument, type Command, Option } from "commander";

import { withValues } from "#cli/completion.ts";
import { invocation, refuseCommand } from "#cli/mistakes.ts";
import { usagesOf } from "#cli/operator/guide.ts";
import { textMember } from "#cli/operator/members.ts";
import { NoShop } from "#cli/operator/require-shop.ts";
import { type JsonOptions, type SettingOptions, UsageFault } from "#cli/operator/settings.ts";
import { askServer } from "#platform/operator/ask-server.ts";
import { print } from "#platform/process/output.ts";
import { scenarioFacts, scenarioNames } from "#sandbox/scenarios/scenario-list.ts";

import type { MockOptions, MockVendor } from "./mock-at-terminal.ts";
import { doneSentence, STATE_DEFAULT, type StateVerb } from "./quick-state.ts";
import { readDetachment, type SandboxOptions, seeds } from "./sandbox-options.ts";

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
  const { sandboxDirectories } = await import("./sandbox-folder.ts");
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

const mockVendors: readonly MockVendor[] = ["stripe", "paystack"];

/** Adds `duka mock` to the program. */
export function addMock(program: Command): void {
  program
    .command("mock")
    .description("run a vendor of gateways on this machine: its API, its pages, its notices")
    .addArgument(new Argument("<vendor>", "the vendor").choices(mockVendors))
    .option("--port <port>", "port to listen on; by default a free one", "0")
    .option("--notices <url>", "where its notices go; by default to a Duka at port 4000")
    .option("--seed <number>", "the same seed meets the same faults", "1")
    .option("--faults <percent>", "of each 100 calls and notices so many meet a fault", "0")
    .action(async (vendor: MockVendor, options: MockOptions) => {
      const { mockAtTerminal } = await import("./mock-at-terminal.ts");
      await mockAtTerminal(vendor, options);
    });
}

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
    .option("--detach", "let it go on without this shell, and return once it is ready")
    .option("--name <name>", "name of a detached one, default by default")
    .option("--for <time>", "how long a detached one runs, from 1m to 30d; 24h by default")
    .option("--json", "print where it is as one line of JSON")
    .addOption(new Option("--into <directory>").hideHelp())
    .addHelpText("after", `\nScenarios:\n${scenarioList}`)
    .allowExcessArguments()
    .action(async () => {
      const [word] = sandbox.args;
      if (word !== undefined) refuseCommand(sandbox, word);
      const options = sandbox.optsWithGlobals<SandboxOptions>();
      const detachment = readDetachment(options);
      if (detachment !== null && options.into === undefined) {
        const { detachAtTerminal } = await import("./detach.ts");
        return detachAtTerminal(options, detachment);
      }
      const { runSandbox } = await import("./run-sandbox.ts");
      return runSandbox(options, usagesOf(program));
    });
  addDetached(sandbox);
  addSuite(sandbox);
  addState(sandbox, "snapshot", "save the state of the running sandbox, its clock too");
  addState(sandbox, "restore", "bring a saved state of the running sandbox back");
}

function addDetached(sandbox: Command): void {
  sandbox
    .command("list")
    .description("print the detached sandboxes that run")
    .option("--json", "print them as JSON, with what each printed at its start")
    .action(async (_, command: Command) => {
      const { listAtTerminal } = await import("./detached-sandboxes.ts");
      await listAtTerminal(command.optsWithGlobals<JsonOptions>());
    });
  sandbox
    .command("stop")
    .description("end a detached sandbox, and wait until nothing is left of it")
    .argument("[name]", "name of the sandbox; where only one runs it may be left out")
    .option("--all", "end all of them")
    .action(async (name: string | undefined, options: { readonly all?: true }) => {
      const { stopAtTerminal } = await import("./detached-sandboxes.ts");
      await stopAtTerminal(name, options);
    });
}

interface SuiteOptions {
  readonly js?: true;
  readonly py?: true;
}

function addSuite(sandbox: Command): void {
  sandbox
    .command("suite")
    .description("print the file with which a test suite opens a sandbox")
    .addOption(new Option("--js", "for JavaScript: sandbox.mjs").conflicts("py"))
    .option("--py", "for Python: sandbox.py")
    .action(async ({ js, py }: SuiteOptions) => {
      if (js === undefined && py === undefined) throw new UsageFault("Choose --js or --py.");
      const { suites } = await import("#sandbox/suite/suites.ts");
      print(suites[py === true ? "py" : "js"].trimEnd());
    });
}

function addState(sandbox: Command, verb: StateVerb, description: string): void {
  sandbox
    .command(verb)
    .description(description)
    .addArgument(new Argument("[name]", "name of the snapshot").default(STATE_DEFAULT))
    .action(async (name: string, _, command: Command) => {
      const options = command.optsWithGlobals<SettingOptions>();
      print(doneSentence(verb, name, await askSandbox(verb, name, options)));
    });
}
