// `duka people`: who runs the shop, and the links that let them in.

import { Argument, type Command } from "commander";

import { print } from "#platform/process/output.ts";
import { roles } from "#shop/people/roles.ts";

import { administer } from "./administer.ts";
import { member, numberMember, textMember, textOrNull } from "./members.ts";
import { type JsonOptions, readSettings, type SettingOptions } from "./settings.ts";
import { renderTable } from "./table.ts";

/** Adds `duka people` to the program. */
export function addPeople(program: Command): void {
  const people = program.command("people").description("list, invite and remove who runs the shop");
  people
    .command("list")
    .description("list the people who may sign in")
    .option("--json", "print the people as JSON")
    .action((_, command: Command) => listAtTerminal(command.optsWithGlobals<JsonOptions>()));
  people
    .command("link")
    .description("print a link that works once: for the first owner, or to recover a sign-in")
    .argument("[name]", "person who lost the password, or the passkeys, which it removes")
    .action((name: string | undefined, _, command: Command) =>
      linkAtTerminal("people.link", { name: name ?? null }, command.optsWithGlobals()),
    );
  people
    .command("invite")
    .description("print a link by which another person joins, within 72 hours")
    .addArgument(roleOf("role of the person"))
    .action((role: string, _, command: Command) =>
      linkAtTerminal("people.invite", { role }, command.optsWithGlobals()),
    );
  const role = people
    .command("role")
    .description("give a person another role, and end their sessions")
    .argument("<name>", "name of the person")
    .addArgument(roleOf("role from now on"));
  role.action((name: string, to: string) =>
    changeRoleAtTerminal({ name, role: to }, role.optsWithGlobals<SettingOptions>()),
  );
  people
    .command("remove")
    .description("remove a person, and end their sessions and links")
    .argument("<name>", "name of the person")
    .action(async (name: string, _, command: Command) => {
      const config = readSettings(command.optsWithGlobals<SettingOptions>());
      const done = await administer(config, { name: "people.remove", input: { name } });
      print(`Removed ${textMember(done, "name")}.`);
    });
  people
    .command("end-sessions")
    .description("sign a person out on every device")
    .argument("<name>", "name of the person")
    .action(async (name: string, _, command: Command) => {
      const config = readSettings(command.optsWithGlobals<SettingOptions>());
      const ended = await administer(config, { name: "people.end-sessions", input: { name } });
      const count = numberMember(ended, "count");
      const sessions = count === 1 ? "session" : "sessions";
      print(`Ended ${count} ${sessions} of ${textMember(ended, "name")}.`);
    });
}

function roleOf(description: string): Argument {
  return new Argument("<role>", description).choices(roles);
}

async function changeRoleAtTerminal(
  input: { readonly name: string; readonly role: string },
  options: SettingOptions,
): Promise<void> {
  const done = await administer(readSettings(options), { name: "people.role", input });
  print(`${textMember(done, "name")} is ${input.role} now.`);
}

async function listAtTerminal(options: JsonOptions): Promise<void> {
  const people = await administer(readSettings(options), { name: "people.list", input: null });
  if (options.json === true) {
    print(JSON.stringify(people, null, 2));
    return;
  }
  const rows = (Array.isArray(people) ? people : []).map(rowOf);
  if (rows.length === 0) {
    print("There is no one here yet. `duka people link` prints a link for the first owner.");
    return;
  }
  print(renderTable(["NAME", "ROLE", "SESSIONS", "SEEN"], rows));
}

/** The cells of a person; `--json` has the rest. */
function rowOf(person: unknown): string[] {
  return [
    textMember(person, "name"),
    textMember(person, "role"),
    String(member(person, "sessions")),
    textOrNull(person, "seen_at")?.slice(0, 10) ?? "-",
  ];
}

/** Prints the link and nothing else, to be sent on. */
async function linkAtTerminal(
  name: string,
  input: unknown,
  options: SettingOptions,
): Promise<void> {
  const made = await administer(readSettings(options), { name, input });
  print(textMember(made, "url"));
}
