// The settings of backups: when they are made, where they are, and how many are kept.

import { path, schedule, wholeNumber } from "./kinds.ts";
import type { Setting, SettingValue } from "./setting.ts";

export const backupSettings = {
  backupSchedule: {
    name: "DUKA_BACKUP_SCHEDULE",
    kind: schedule,
    default: null,
    unit: null,
    meaning: "When the server makes a backup, such as 30 3 * * * for 03:30 each day.",
    reason: "Off: a trial needs no backups, and only the operator knows the shop's quiet hour.",
  },
  backupFolder: {
    name: "DUKA_BACKUP_FOLDER",
    kind: path,
    default: null,
    unit: null,
    meaning: "The folder of the backups; by default backups in the data directory.",
    reason: "Use another disk, so that one fault does not take databases and backups.",
  },
  backupKeep: {
    name: "DUKA_BACKUP_KEEP",
    kind: wholeNumber(1, 10_000),
    default: 7,
    unit: "backups",
    meaning: "How many backups of this shop the schedule keeps; older ones are deleted.",
    reason: "A week of daily backups; the newest one always stays.",
  },
} satisfies Readonly<Record<string, Setting<SettingValue>>>;
