// `duka upgrade --check`: prints what an upgrade would do.

import { requireShop } from "#cli/operator/require-shop.ts";
import { type JsonOptions, readSettings } from "#cli/operator/settings.ts";
import { print } from "#platform/process/output.ts";

import { type ModePlan, planUpgrade, type Trial, type UpgradePlan } from "./plan-upgrade.ts";

/**
 * Prints what an upgrade would do; true if the migrated copy is sound. Throws NoShop, and SchemaMismatch where the shop
 * is of a newer version.
 */
export async function checkUpgradeAtTerminal(options: JsonOptions): Promise<boolean> {
  const config = readSettings(options);
  await requireShop(config);
  const plan = await planUpgrade(config);
  print(options.json === true ? JSON.stringify(plan, null, 2) : pageOf(plan));
  return plan.modes.every(({ trial }) => trial === null || trial.differences.length === 0);
}

function pageOf({ version, breaking, modes: plans, rolling }: UpgradePlan): string {
  const told = breaking.flatMap(({ version: of, lines }) =>
    lines.map((line) => `Breaking in ${of}: ${line}`),
  );
  const ways =
    rolling === null
      ? []
      : [
          rolling
            ? "Programs may be replaced one after the other."
            : "Stop all programs of before first, then start this one.",
        ];
  return [`This is Duka ${version}.`, ...told, ...plans.flatMap(linesOf), ...ways].join("\n");
}

function linesOf({ mode, written_by: writer, migrations, stopping, trial }: ModePlan): string[] {
  const before = `${mode}: served by ${writer === null ? "an older version" : `Duka ${writer}`}`;
  if (migrations.length === 0) return [`${before}, and needs no migration.`];
  const steps = migrations.map(({ name, rows }) => {
    const counts = Object.entries(rows).map(([table, count]) => `${table} ${count}`);
    return `${mode}: ${[name, ...counts].join(", ")}`;
  });
  const stops = stopping.map(
    ({ index, table, rows }) =>
      `${mode}: ${table} is not written to while its index ${index} is built from ${rows} rows`,
  );
  const ended = `${mode}: ${wordsOf(trial)}`;
  return [`${before}; ${counted(migrations.length)}:`, ...steps, ...stops, ended];
}

function counted(migrations: number): string {
  return migrations === 1 ? "one migration" : `${migrations} migrations`;
}

function wordsOf(trial: Trial | null): string {
  if (trial === null) return "no copy was migrated.";
  const { seconds, differences } = trial;
  const found = differences.length === 0 ? "and all figures agree." : differences.join("; ");
  return `a copy was migrated in ${seconds} s, ${found}`;
}
