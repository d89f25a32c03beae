// The arguments of `duka listen` and `duka trigger`.

import type { Command } from "commander";

import { listenAtTerminal, type ListenOptions } from "./listen.ts";
import { triggerAtTerminal, type TriggerOptions } from "./trigger.ts";

/** Adds both to the program. */
export function addListening(program: Command): void {
  withShop(program.command("listen"))
    .description("print the events of the test shop as they happen, and forward them")
    .option("--forward-to <url>", "send each event to this URL, signed like a webhook")
    .option("--events <names>", "only these events, such as order.paid,cart.*")
    .option("--secret <whsec>", "sign with this secret, instead of a new one")
    .option("--print-json", "print each event as a line of JSON")
    .action((_, command: Command) => listenAtTerminal(command.optsWithGlobals<ListenOptions>()));
  withShop(program.command("trigger"))
    .description("emit an event with sample data in the test shop")
    .argument("<event>", "such as order.paid")
    .option("--data <json>", "members that replace those of the sample data")
    .option("--print-json", "print the event as a line of JSON")
    .action((event: string, _, command: Command) =>
      triggerAtTerminal(event, command.optsWithGlobals<TriggerOptions>()),
    );
}

function withShop(command: Command): Command {
  return command
    .option("--url <url>", "URL of a Duka, instead of the server of the data directory")
    .option("--api-key <key>", "test key of the shop at that URL");
}
