// A check is a question about the server or the shop. Its row says what was found, and what to do about it. A new kind of
// row is a line in the list of `checks.ts`; what it may carry beside these members is declared here and in `schema.ts`.

import type { Config } from "#platform/config/config.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Mode, Shop } from "#platform/database/shop.ts";
import type { ShownCertificate } from "#platform/net/shown-certificate.ts";
import type { DiskRoom } from "#platform/process/disk-reserve.ts";

import type { Probed } from "./probe.ts";

/** The subjects of checks, in the order in which they are read. */
export const areas = ["address", "machine", "safety", "shop", "connections"] as const;
export type Area = (typeof areas)[number];

/** `todo` is for the merchant to do, `fail` harms the shop now, and of `unknown` nothing could be found out. */
export const states = ["ok", "todo", "fail", "unknown"] as const;

export interface Finding {
  readonly state: (typeof states)[number];
  /** A sentence. */
  readonly found: string;
  /** A sentence; null where there is nothing to do. */
  readonly do: string | null;
}

/** A check and what it looks at. */
export interface Check<Seen> {
  readonly name: string;
  readonly area: Area;
  /** The page on which it is set right: a path below the dashboard, or that of a guide. */
  readonly href: string;
  /** True if it has to be done before customers come. */
  readonly blocks?: boolean;
  readonly look: (seen: Seen, signal: AbortSignal) => Finding | Promise<Finding>;
}

/** A check with its finding. */
export interface CheckRow extends Finding, Pick<Check<never>, "area" | "href"> {
  readonly check: string;
  readonly blocks: boolean;
}

/** The program and its machine, which are there without a shop. */
export interface Place {
  readonly config: Config;
  readonly mode: Mode;
  /** The machine's time, epoch milliseconds. */
  readonly now: () => number;
  /** The address of the server on this machine; null if none runs. */
  readonly servedAt: string | null;
  /** False once a database refuses writes. */
  readonly isWritable: boolean;
  /** The disk of the data directory; null if that is gone. */
  readonly readDisk: () => DiskRoom | null;
  /** The times of some syncs to that disk, milliseconds. */
  readonly measureSyncs: () => Promise<readonly number[]>;
  /** The certificate that visitors of the https URL are shown. */
  readonly readCertificate: (url: string, signal: AbortSignal) => Promise<ShownCertificate>;
  /** Why the last try to have a certificate signed failed; null if it did not, or there was none. */
  readonly findUnsigned: () => Promise<string | null>;
}

/** The shop as it is stored, which is there without a server. */
export interface Stored extends Place {
  readonly db: Reader;
  /** The live shop, which has the people and the vault, also where the test shop is looked at. */
  readonly live: Reader;
}

/** A gateway that the shop has the secret of. */
export interface AskedGateway {
  readonly gateway: string;
  /** The sentences of the vendor about what is wrong; empty where all is as it should be. */
  readonly refused: readonly string[];
  /** When its last notice came, by the clock of the shop; null if none did lately. */
  readonly noticedAt: number | null;
  /** When the newest payment that it took was begun; null if it took none. */
  readonly paidAt: number | null;
}

/** The running server. */
export interface Served extends Stored {
  /** The open files that the system allows the server; null where that cannot be read. */
  readonly openFilesMax: number | null;
  /** The distance of this machine's clock from those of other servers, milliseconds; null if none told its time. */
  readonly skewMs: number | null;
  /** The time of the shop, epoch milliseconds. */
  readonly shopNow: () => number;
  /** Asks the public URL; null if there is none. */
  readonly probe: () => Promise<Probed | null>;
  readonly askGateways: () => Promise<readonly AskedGateway[]>;
}

/** The rows of a mode, of an area or of all. */
export type ListChecks = (mode: Mode, area?: Area) => Promise<readonly CheckRow[]>;

/** A shop that knows what it lacks. */
export interface ChecksShop extends Shop {
  /** The rows of an area, or of all. */
  readonly listChecks: (area?: Area) => Promise<readonly CheckRow[]>;
}

export function ok(found: string): Finding {
  return { state: "ok", found, do: null };
}

export function todo(found: string, remedy: string): Finding {
  return { state: "todo", found, do: remedy };
}

export function fail(found: string, remedy: string): Finding {
  return { state: "fail", found, do: remedy };
}

export function unknown(found: string, remedy: string | null = null): Finding {
  return { state: "unknown", found, do: remedy };
}
