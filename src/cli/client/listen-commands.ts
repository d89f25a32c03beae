// The arguments of `duka listen` and `duka trigger`.

import { Argument, type Command, Option } from "commander";

import { withValues } from "#cli/completion.ts";
import { eventMeanings, eventNames, eventPatterns } from "#messaging/events/event.ts";

import type { ListenOptions } from "./listen.ts";
import type { TriggerOptions } from "./trigger.ts";

const nameWidth = Math.max(...eventNames.map((name) => name.length));
const eventList = Object.entries(eventMeanings)
  .map(([name, meaning]) => `  ${name.padEnd(nameWidth)}  ${meaning}`)
  .join("\n");

/** Adds both to the program. */
export function addListening(program: Command): void {
  withShop(program.command("listen"))
    .description("print the events of the test shop as they happen, and forward them")
    .option(
      "--forward-to <url>",
      "send each event to this URL, signed like a webhook; http without a scheme",
    )
    .option(
      "--insecure",
      "send also where the certificate is not trusted, such as a self-signed one",
    )
    .addOption(
      withValues(
        new Option("--events <names>", "only these events, such as order.paid,cart.*"),
        eventPatterns,
      ),
    )
    .option("--secret <whsec>", "sign with this secret, instead of the one of earlier runs")
    .option("--print-json", "print each event as a line of JSON")
    .action(async (_, command: Command) => {
      const { listenAtTerminal } = await import("./listen.ts");
      await listenAtTerminal(command.optsWithGlobals<ListenOptions>());
    });
  withShop(program.command("trigger"))
    .description("emit an event with sample data in the test shop")
    .addArgument(withValues(new Argument("<event>", "such as order.paid"), eventNames))
    .option("--data <json>", "members that replace those of the sample data")
    .option("--print-json", "print the event as a line of JSON")
    .addHelpText("after", `\nEvents:\n${eventList}`)
    .action(async (event: string, _, command: Command) => {
      const { triggerAtTerminal } = await import("./trigger.ts");
      await triggerAtTerminal(event, command.optsWithGlobals<TriggerOptions>());
    });
}

function withShop(command: Command): Command {
  return command
    .option("--url <url>", "URL of a Duka, instead of the server of the data directory")
    .option("--api-key <key>", "test key of the shop at that URL");
}
