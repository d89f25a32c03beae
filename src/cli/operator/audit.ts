// `duka audit`: who did what in the shop.

import { type Command, Option } from "commander";

import { type Mode, modes } from "#platform/database/shop.ts";
import { print } from "#platform/process/output.ts";

import { administer } from "./administer.ts";
import type { ListAuditInput } from "./audit-commands.ts";
import { member, textMember, textOrNull } from "./members.ts";
import { type JsonOptions, readInstant, readSettings, UsageFault } from "./settings.ts";
import { renderTable } from "./table.ts";

interface AuditOptions extends JsonOptions {
  readonly mode: Mode;
  readonly actor?: string;
  readonly subject?: string;
  readonly action?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: string;
}

/** Adds `duka audit` to the program. */
export function addAudit(program: Command): void {
  program
    .command("audit")
    .description("list who did what, newest first")
    .addOption(new Option("--mode <mode>", "mode of the shop").choices(modes).default("live"))
    .option("--actor <id>", "id of a key or a person, or operator for the command line, or system")
    .option("--subject <id>", "id of a record, such as an order")
    .option("--action <name>", "an operation such as cancelOrder, or a command such as keys create")
    .option("--from <instant>", "not before this instant, such as 2030-01-31")
    .option("--to <instant>", "before this instant")
    .option("--limit <number>", "entries at most", "50")
    .option("--json", "print the entries as JSON, with what changed")
    .action((_, command: Command) => listAuditAtTerminal(command.optsWithGlobals<AuditOptions>()));
}

async function listAuditAtTerminal(options: AuditOptions): Promise<void> {
  const limit = Number(options.limit);
  if (!/^\d{1,4}$/.test(options.limit) || limit === 0) {
    throw new UsageFault(`--limit must be a whole number from 1 to 9999, not "${options.limit}".`);
  }
  const input: ListAuditInput = {
    mode: options.mode,
    actor: options.actor ?? null,
    subject: options.subject ?? null,
    action: options.action ?? null,
    from: readInstant(options.from, "--from"),
    below: readInstant(options.to, "--to"),
    limit,
  };
  const entries = await administer(readSettings(options), { name: "audit.list", input });
  if (options.json === true) {
    print(JSON.stringify(entries, null, 2));
    return;
  }
  const rows = (Array.isArray(entries) ? entries : []).map(rowOf);
  if (rows.length === 0) {
    const other = options.mode === "live" ? "test" : "live";
    print(`The ${options.mode} shop has no such entry. --mode ${other} lists the other one.`);
    return;
  }
  print(renderTable(["WHEN", "WHO", "WHAT", "SUBJECT", "CHANGED"], rows));
}

/** The cells of an entry; `--json` has the rest. */
function rowOf(entry: unknown): string[] {
  const changed = member(entry, "changed_fields");
  return [
    textMember(entry, "created_at").slice(0, 19),
    actorOf(member(entry, "actor")),
    textMember(entry, "action"),
    textOrNull(member(entry, "subject"), "id") ?? "-",
    Array.isArray(changed) && changed.length > 0 ? changed.join(", ") : "-",
  ];
}

const kinds: Readonly<Record<string, string>> = {
  api_key: "key",
  person: "person",
  operator: "command line",
  system: "the shop",
};

/** Such as `key Storefront`; a key without a name is shown by its id. */
function actorOf(actor: unknown): string {
  const type = textMember(actor, "type");
  const who = textOrNull(actor, "name") ?? textOrNull(actor, "id") ?? "";
  return `${kinds[type] ?? type} ${who}`.trim();
}
