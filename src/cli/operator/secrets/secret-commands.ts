// `duka secrets`: the key that encrypts the secrets of a shop is replaced, or is lost. No server may run.

import type { Command } from "commander";

import type { SettingOptions } from "#cli/operator/settings.ts";

/** Adds the commands to the program. */
export function addSecrets(program: Command): void {
  const secrets = program
    .command("secrets")
    .description("replace the key that encrypts secrets, or give up those of a lost key");
  secrets
    .command("rotate")
    .description("make a new key and encrypt every secret with it; no server may run")
    .action(async (_, command: Command) => {
      const { rotateAtTerminal } = await import("./rotate.ts");
      await rotateAtTerminal(command.optsWithGlobals<SettingOptions>());
    });
  secrets
    .command("reset")
    .description("give up the secrets of a shop whose key is lost; no server may run")
    .action(async (_, command: Command) => {
      const { resetAtTerminal } = await import("./reset.ts");
      await resetAtTerminal(command.optsWithGlobals<SettingOptions>());
    });
}
