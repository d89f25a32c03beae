// `duka install`: this program as a service of systemd, and `duka uninstall`. Invariant: each step may be repeated, none
// takes away what the machine's owner wrote, and what is stopped halfway goes on with the same command.

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";

import { textMember } from "#cli/operator/members.ts";
import { StepFailed, UsageFault } from "#cli/operator/settings.ts";
import { monotonicMs, SECOND_MS } from "#kernel/time.ts";
import { publicUrlAt } from "#platform/config/config.ts";
import { CommandFailed } from "#platform/operator/ask-server.ts";

import type { InstallOptions } from "./install-commands.ts";
import { type Machine, makeFolder, placeOn, runOn, writeWhole } from "./machine.ts";
import { readInstall, type Service } from "./read-install.ts";
import { PROGRAM_PATH, SETTINGS_PATH, UNIT_NAME, UNIT_PATH, unitFor } from "./unit.ts";

/** A first start migrates two databases, on a slow disk in seconds. */
const HEALTH_MS_MAX = 60 * SECOND_MS;
const HEALTH_PAUSE_MS = 200;

interface Step {
  readonly name: string;
  isDone(): boolean | Promise<boolean>;
  do(): void | Promise<void>;
}

/** The machine that is changed, and where its steps are printed. */
export interface InstallPlace {
  readonly machine: Machine;
  readonly print: (line: string) => void;
  readonly dryRun: boolean;
}

/** Installs the service and starts it; false if a unit of the machine's owner was kept. */
export async function install(options: InstallOptions, place: InstallPlace): Promise<boolean> {
  const { machine, print } = place;
  requireFit(machine);
  const service = readInstall(options, machine);
  const unit = unitTarget(service, machine);
  await take(stepsOf(service, machine, unit), place);
  if (!place.dryRun) print(`\n${await door(service, machine)}`);
  for (const line of nextSteps(service)) print(line);
  if (unit === UNIT_PATH) return true;
  print(`${UNIT_PATH} is not this version's, or was changed: it is kept, with ours in ${unit}.`);
  return false;
}

/** Takes the service away; its data, settings and user stay. */
export async function uninstall(place: InstallPlace): Promise<void> {
  const { machine, print } = place;
  requireFit(machine);
  const unit = placeOn(machine, UNIT_PATH);
  const stop: Step = {
    name: "service stopped and disabled",
    isDone: () => !existsSync(unit),
    do: () => void runOn(machine, "systemctl", "disable", "--now", UNIT_NAME),
  };
  const removed = [UNIT_PATH, `${UNIT_PATH}.new`, PROGRAM_PATH].map((path): Step => {
    const file = placeOn(machine, path);
    return {
      name: `${path} removed`,
      isDone: () => !existsSync(file),
      do: () => rmSync(file),
    };
  });
  const taken = await take([stop, ...removed], place);
  if (taken > 0 && !place.dryRun) runOn(machine, "systemctl", "daemon-reload");
  print(`The data, ${SETTINGS_PATH} and the user are kept.`);
}

function requireFit({ unfit }: Machine): void {
  if (unfit !== null) throw new UsageFault(unfit);
}

/** Takes the steps that are not done, and prints each; returns how many were taken, or would be. */
async function take(steps: readonly Step[], { print, dryRun }: InstallPlace): Promise<number> {
  let taken = 0;
  for (const step of steps) {
    const isDone = await step.isDone();
    if (!isDone && !dryRun) await step.do();
    if (!isDone) taken += 1;
    const word = isDone ? "already" : dryRun ? "would" : "did";
    print(`${word.padEnd("already".length)}  ${step.name}`);
  }
  return taken;
}

function stepsOf(service: Service, machine: Machine, unit: string): Step[] {
  const { user } = service;
  const settings = placeOn(machine, SETTINGS_PATH);
  return [
    {
      name: `user ${user}`,
      isDone: () => findUser(user, machine) !== null,
      do: () => addUser(service, machine),
    },
    programStep(machine),
    directoryStep(service, machine),
    {
      name: `settings ${SETTINGS_PATH}`,
      isDone: () => service.newSettings === null,
      do: () =>
        writeWhole(settings, service.newSettings ?? "", {
          mode: 0o640,
          group: getUser(user, machine).group,
        }),
    },
    {
      name: `unit ${unit}`,
      isDone: () => isOurs(unit, service, machine),
      do: () => {
        writeWhole(placeOn(machine, unit), textOfUnit(service), { mode: 0o644 });
        runOn(machine, "systemctl", "daemon-reload");
      },
    },
    startStep(machine),
    healthStep(service, machine),
  ];
}

function addUser({ user, config }: Service, machine: Machine): void {
  const home = ["--no-create-home", "--home-dir", config.dataDirectory];
  const shell = ["--shell", "/usr/sbin/nologin"];
  runOn(machine, "useradd", "--system", "--user-group", ...home, ...shell, user);
}

interface User {
  readonly id: number;
  readonly group: number;
}

/** The user as /etc/passwd has it, or a directory of users. */
function findUser(name: string, machine: Machine): User | null {
  const { isDone, stdout } = machine.run(["getent", "passwd", name]);
  const [, , id, group] = stdout.split(":");
  return isDone ? { id: Number(id), group: Number(group) } : null;
}

function getUser(name: string, machine: Machine): User {
  const user = findUser(name, machine);
  if (user === null) throw new StepFailed(`There is no user ${name}.`);
  return user;
}

/** A program that runs keeps the file that it was started from. */
function programStep(machine: Machine): Step {
  const { executable } = machine;
  if (executable === null) {
    throw new UsageFault("Duka runs from source here: build the program, and run that.");
  }
  const installed = placeOn(machine, PROGRAM_PATH);
  return {
    name: `program ${PROGRAM_PATH}`,
    isDone: () => existsSync(installed) && readFileSync(installed).equals(readFileSync(executable)),
    do: () => writeWhole(installed, readFileSync(executable), { mode: 0o755 }),
  };
}

/** Files in it that are another's, such as those of a trial by root, become the user's. */
function directoryStep({ user, config }: Service, machine: Machine): Step {
  const directory = placeOn(machine, config.dataDirectory);
  return {
    name: `data directory ${config.dataDirectory}`,
    isDone: () => {
      if (!existsSync(directory)) return false;
      const { uid, mode } = statSync(directory);
      return uid === findUser(user, machine)?.id && (mode & 0o777) === 0o700;
    },
    do: () => {
      const { id, group } = getUser(user, machine);
      makeFolder(dirname(directory));
      mkdirSync(directory, { recursive: true });
      chmodSync(directory, 0o700);
      // The directory itself comes last.
      runOn(machine, "chown", "-R", `${id}:${group}`, directory);
    },
  };
}

function textOfUnit({ user, config }: Service): string {
  return unitFor(user, config.dataDirectory);
}

function isOurs(path: string, service: Service, machine: Machine): boolean {
  const file = placeOn(machine, path);
  return existsSync(file) && readFileSync(file, "utf8") === textOfUnit(service);
}

/** A unit that differs is of the machine's owner, or of another version: ours is written beside it. */
function unitTarget(service: Service, machine: Machine): string {
  const isFree = !existsSync(placeOn(machine, UNIT_PATH));
  return isFree || isOurs(UNIT_PATH, service, machine) ? UNIT_PATH : `${UNIT_PATH}.new`;
}

/** A service that runs with an earlier program, unit or file of settings is started anew. */
function startStep(machine: Machine): Step {
  const says = (question: string) => machine.run(["systemctl", question, "--quiet", UNIT_NAME]);
  return {
    name: "service enabled and started",
    isDone: () =>
      says("is-enabled").isDone && says("is-active").isDone && isStartedAfterItsFiles(machine),
    do: () => {
      runOn(machine, "systemctl", "enable", UNIT_NAME);
      runOn(machine, "systemctl", "restart", UNIT_NAME);
    },
  };
}

/** Counted in whole seconds, as systemd tells them. */
function isStartedAfterItsFiles(machine: Machine): boolean {
  const question = ["--property=ActiveEnterTimestamp", "--timestamp=unix", "--value"];
  const { stdout } = machine.run(["systemctl", "show", ...question, UNIT_NAME]);
  const startedAt = Number(/^@(\d+)/.exec(stdout)?.[1] ?? 0);
  return [PROGRAM_PATH, SETTINGS_PATH, UNIT_PATH].every(
    (path) => Math.floor(statSync(placeOn(machine, path)).ctimeMs / SECOND_MS) <= startedAt,
  );
}

function healthStep({ config }: Service, machine: Machine): Step {
  return {
    name: "health of the service",
    isDone: () => false,
    do: async () => {
      const until = monotonicMs() + HEALTH_MS_MAX;
      while (!(await isServing(config.dataDirectory, machine))) {
        if (monotonicMs() > until) {
          throw new StepFailed("The service does not answer: journalctl -u duka says why.");
        }
        await Bun.sleep(HEALTH_PAUSE_MS);
      }
    },
  };
}

async function isServing(directory: string, machine: Machine): Promise<boolean> {
  try {
    return (await machine.ask(directory, "server.address")) !== undefined;
  } catch (error) {
    // It has the data directory, and does not listen yet.
    if (error instanceof CommandFailed) return false;
    throw error;
  }
}

/** The address at which people sign in; of a new shop the link for its first owner. */
async function door({ config }: Service, machine: Machine): Promise<string> {
  const people = await machine.ask(config.dataDirectory, "people.list");
  const isEmpty = Array.isArray(people) && people.length === 0;
  if (!isEmpty) return `Dashboard  ${publicUrlAt(config, config.listen.port)}/dashboard`;
  const link = await machine.ask(config.dataDirectory, "people.link");
  return `Open  ${textMember(link, "url")}`;
}

/** The rest of the way: a certificate, in a proxy of this machine or of the server's own. */
function nextSteps({ config }: Service): string[] {
  if (config.listen.tls !== null) return [];
  const settings = `--env-file ${SETTINGS_PATH}`;
  if (config.publicUrl !== null) return [`Next  duka proxy caddy ${settings}`];
  return [
    `Next  DUKA_PUBLIC_URL in ${SETTINGS_PATH}, systemctl restart duka, duka proxy nginx ${settings}`,
  ];
}
