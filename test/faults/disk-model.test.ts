// The model of a disk for the fault `power`: what survives a power cut, and what may survive.

import { expect, test } from "bun:test";

import { Disk, type Image, survivals } from "./disk-model.ts";
import { Chance } from "./fault.ts";
import { type Call, readCalls } from "./system-calls.ts";

const log = "/shop/log";
const open: Call = { type: "open", path: log, truncates: false };
const syncFolder: Call = { type: "sync", path: "/shop" };
const syncLog: Call = { type: "sync", path: log };

function write(text: string, at = 0): Call {
  return { type: "write", path: log, at, bytes: Buffer.from(text) };
}

function diskAfter(...calls: readonly Call[]): Disk {
  const disk = new Disk("/shop");
  for (const call of calls) disk.take(call);
  return disk;
}

function shown(image: Image): Record<string, string | null> {
  return Object.fromEntries([...image].map(([path, bytes]) => [path, bytes?.toString() ?? null]));
}

test.each(survivals)("what was synced is there where %s of the rest is kept", (survival) => {
  const disk = diskAfter(open, write("ab"), syncLog, syncFolder);

  expect(shown(disk.cut(survival, new Chance(1)))).toEqual({ [log]: "ab" });
});

test("an unsynced write may be lost or kept", () => {
  const disk = diskAfter(open, write("ab"), syncLog, syncFolder, write("cd", 2));

  expect(shown(disk.cut("nothing", new Chance(1)))).toEqual({ [log]: "ab" });
  expect(shown(disk.cut("everything", new Chance(1)))).toEqual({ [log]: "abcd" });
});

test("a synced file is lost without its name, unless its folder was synced", () => {
  const disk = diskAfter(open, write("ab"), syncLog);

  expect(shown(disk.cut("nothing", new Chance(1)))).toEqual({});
});

test("a synced folder is lost without its name in the folder above", () => {
  const file = "/shop/data/log";
  const disk = diskAfter(
    { type: "mkdir", path: "/shop/data" },
    { type: "open", path: file, truncates: false },
    { type: "sync", path: "/shop/data" },
  );
  expect(shown(disk.cut("nothing", new Chance(1)))).toEqual({});

  disk.take(syncFolder);

  expect(shown(disk.cut("nothing", new Chance(1)))).toEqual({ "/shop/data": null, [file]: "" });
});

test("a removed file may come back until its folder is synced", () => {
  const disk = diskAfter(open, write("ab"), syncLog, syncFolder, { type: "unlink", path: log });
  expect(shown(disk.cut("nothing", new Chance(1)))).toEqual({ [log]: "ab" });

  disk.take(syncFolder);

  expect(shown(disk.cut("nothing", new Chance(1)))).toEqual({});
});

test("a write may be torn between sectors, and never within one", () => {
  const disk = diskAfter(open, syncFolder, write("x".repeat(4_096)));

  const sectors = Array.from({ length: 20 }, (_, seed) =>
    shown(disk.cut("some sectors", new Chance(seed))),
  ).flatMap((image) => image[log]?.match(/.{512}/gs) ?? []);

  expect(new Set(sectors.map((sector) => new Set(sector).size))).toEqual(new Set([1]));
  expect(new Set(sectors).size).toBeGreaterThan(1);
});

test("a later write may survive without an earlier one", () => {
  const disk = diskAfter(open, write("abcd"), syncLog, syncFolder, write("1"), write("2", 3));

  const seen = Array.from(
    { length: 20 },
    (_, seed) => shown(disk.cut("some writes", new Chance(seed)))[log],
  );

  expect(new Set(seen)).toEqual(new Set(["abcd", "1bcd", "abc2", "1bc2"]));
});

const hex = (text: string) => text.replaceAll(/./g, (c) => `\\x${c.charCodeAt(0).toString(16)}`);

test("a recording is read in the order in which calls took effect", () => {
  const trace = [
    `7 openat(AT_FDCWD<${hex("/shop")}>, "${hex("data/log")}", O_RDWR|O_CREAT, 0600) = 5<${hex("/shop/data/log")}>`,
    `7 fsync(5<${hex("/shop/data/log")}> <unfinished ...>`,
    `8 pwrite64(5<${hex("/shop/data/log")}>, "${hex("abc")}", 3, 64) = 2`,
    `7 <... fsync resumed>)              = 0`,
    `7 unlink("${hex("/shop/data/gone")}") = -1 ENOENT (No such file or directory)`,
    `7 sendto(9<${hex("socket:[1]")}>, "${hex("HTTP/1.1 201 ")}", 13, MSG_DONTWAIT, NULL, 0) = 13`,
  ].join("\n");

  expect(readCalls(trace, "/shop")).toEqual([
    { type: "open", path: "/shop/data/log", truncates: false },
    { type: "write", path: "/shop/data/log", at: 64, bytes: Buffer.from("ab") },
    { type: "sync", path: "/shop/data/log" },
    { type: "send", channel: "9", text: "HTTP/1.1 201 " },
  ]);
});

test("what the runtime writes to a cache elsewhere is no call on the folder, whatever its bytes", () => {
  const trace = `7 pwritev(5<${hex("/var/cache/a")}>, [{iov_base="${hex("code")}", iov_len=4}], 1, 0) = 4`;

  expect(readCalls(trace, "/shop")).toEqual([]);
});

test("an unknown call on the folder is an error", () => {
  const trace = `7 fallocate(5<${hex("/shop/data/log")}>, 0, 0, 4096) = 0`;

  expect(() => readCalls(trace, "/shop")).toThrow("Not understood");
});
