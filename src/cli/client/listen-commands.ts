// The commands that listen to a test shop and make it speak, as they are typed.

import type { Command } from "commander";

import { listenAtTerminal, type ListenOptions } from "./listen.ts";
import { triggerAtTerminal, type TriggerOptions } from "./trigger.ts";

/** Adds them to the program. */
export function addListening(program: Command): void {
  withShop(program.command("listen"))
    .description("print the events of the test shop as they come, and send them on")
    .option("--forward-to <url>", "send each event there, signed, as a webhook would")
    .option("--events <names>", "only these, such as order.paid,cart.*")
    .option("--secret <whsec>", "sign with this secret, instead of a fresh one")
    .option("--print-json", "print each event as a line of JSON")
    .action((_, command: Command) => listenAtTerminal(command.optsWithGlobals<ListenOptions>()));
  withShop(program.command("trigger"))
    .description("announce an event in the test shop, of things that are not there")
    .argument("<event>", "such as order.paid")
    .option("--data <json>", "members to put in place of the event's own")
    .option("--print-json", "print the event as a line of JSON")
    .action((event: string, _, command: Command) =>
      triggerAtTerminal(event, command.optsWithGlobals<TriggerOptions>()),
    );
}

function withShop(command: Command): Command {
  return command
    .option("--url <url>", "the shop's address, instead of the server of the data directory")
    .option("--api-key <key>", "a test key of the shop at that address");
}
