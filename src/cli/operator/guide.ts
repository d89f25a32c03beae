// `duka guide`: the guides without a server, with the list of commands that one of them has.

import { Argument, type Command } from "commander";

import { withValues } from "#cli/completion.ts";
import { type CommandUsage, fillGuide } from "#guides/fill-guide.ts";
import { guides } from "#guides/guide.ts";
import { nearestName } from "#platform/process/nearest-name.ts";
import { print } from "#platform/process/output.ts";

import { UsageFault } from "./settings.ts";
import { renderTable } from "./table.ts";

/** Adds the command to the program. */
export function addGuide(program: Command): void {
  program
    .command("guide")
    .description("print a guide, or list all guides")
    .addArgument(
      withValues(
        new Argument("[name]", "name of the guide"),
        guides.map((guide) => guide.name),
      ),
    )
    .action(async (name: string | undefined) => {
      print(await printed(name, program));
    });
}

/** Every command below this one that can be run, in the order of the help. */
export function usagesOf(command: Command, path = command.name()): CommandUsage[] {
  return command.commands.flatMap((below) => {
    const inside = `${path} ${below.name()}`;
    const nested = usagesOf(below, inside);
    const isGroup = nested.length > 0 && below.options.length === 0;
    return isGroup ? nested : [usageOf(below, inside), ...nested];
  });
}

function usageOf(command: Command, path: string): CommandUsage {
  const options = command.options.map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`));
  const named = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  return { usage: [path, ...named, ...options].join(" "), does: command.description() };
}

/** A guide as Markdown, styled at a terminal; without a name, the list of guides. */
async function printed(name: string | undefined, program: Command): Promise<string> {
  if (name === undefined) {
    const rows = guides.map((guide) => [guide.name, guide.title]);
    return renderTable(["GUIDE", "ABOUT"], rows);
  }
  const guide = guides.find((known) => known.name === name);
  if (guide === undefined) throw unknownGuide(name);
  const { guideFacts } = await import("#interface.ts");
  return forOutput(fillGuide(guide.text, guideFacts(usagesOf(program))));
}

function unknownGuide(name: string): UsageFault {
  const names = guides.map((guide) => guide.name);
  const nearest = nearestName(name, names);
  const hint =
    nearest === null ? `the guides are ${names.join(", ")}` : `did you mean "${nearest}"?`;
  return new UsageFault(`unknown guide "${name}"; ${hint}`);
}

/** The Markdown itself where it is piped. */
function forOutput(markdown: string): string {
  if (!process.stdout.isTTY) return markdown.trimEnd();
  const columns = Math.min(process.stdout.columns, 100);
  return Bun.markdown.ansi(markdown, { columns, colors: Bun.enableANSIColors }).trimEnd();
}
