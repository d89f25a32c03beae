// Uploads pictures that hold more than pixels, and pictures that cost more than they show. Of each the shop keeps pixels
// or nothing, and the server that takes them needs no more memory for it.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createDeflate } from "node:zlib";

import { onlyPixels } from "#platform/files/only-pixels.ts";

import {
  ADOBE_RGB,
  chunkTypes,
  colorProfile,
  DISPLAY_P3,
  picture,
  pngChunk,
  profiledPng,
  riffChunk,
  SRGB,
} from "../support/pictures.ts";
import { openRunningDuka, type RunningDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";
import type { Fault, FaultOptions, FaultReport } from "./fault.ts";
import { check } from "./shop-under-test.ts";

/** The bytes that a picture may have beside those of its pixels: lengths, flags, and a profile of the program's own. */
const EXTRA_BYTES = 1_024;
const GROWTH_MB_MAX = 30;
const LOOK_MS = 10;
const MB = 1_048_576;
/** A JPEG of four inks, written by another program. */
const CMYK =
  "/9j/7gAOQWRvYmUAZAAAAAAC/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2RjcsLUBXQUZMTlJTUjI+WmFaUGBKUVJP/9sAQwEODg4TERMmFRUmTzUtNU9PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09P/8AAFAgAEAAYBAEiAAIRAQMRAQQiAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAFBv/EABwQAAEEAwEAAAAAAAAAAAAAAAABFWKhAhNRUv/EABUBAQEAAAAAAAAAAAAAAAAAAAAG/8QAFxEAAwEAAAAAAAAAAAAAAAAAAAMVFv/aAA4EAQACEQMRBAAAPwCzvTo3p0pN2HlA3YeUJ7RNJaC41T/Ow/zsMEKDBCibvToKTdh5QDRNEFwf52AwQoH/2Q==";

export const pictures: Fault = {
  name: "pictures",
  what: "pictures are uploaded that hold more than pixels, and pictures that cost more than they show",
  short: { rounds: 0, minutes: 1 },
  long: { rounds: 4, minutes: 10 },
  run,
};

/** `rounds` is the number of pictures of 50 million pixels that come at once, after a profile of 1.9 GB. */
async function run({ rounds, progress }: FaultOptions): Promise<FaultReport> {
  using folder = openScratchFolder();
  const settings = { DUKA_LOG_LEVEL: "error" };
  await using duka = await openRunningDuka({ folder: folder.path, settings });
  // The first upload loads what makes pictures.
  await upload(duka, await picture("png", 300, 200));
  const memory = watchMemory(duka);
  const answers: string[] = [];
  for (const [name, make] of Object.entries(corpus(rounds > 0))) {
    const status = await upload(duka, await make());
    answers.push(`${name} ${status}`);
    progress(`${name}: ${status}, ${memory.grownMb()} MB`);
  }
  const large = rounds === 0 ? new Uint8Array() : await picture("jpeg", 8_660, 5_770);
  const statuses = await Promise.all(
    Array.from({ length: rounds }, (_, nth) => upload(duka, withComment(large, `picture ${nth}`))),
  );
  const grownMb = memory.end();
  const files = filesIn(join(folder.path, "data/media/test"));
  const broken = [
    ...files.flatMap(({ name, bytes }) => wrongIn(name, bytes)),
    ...(grownMb < GROWTH_MB_MAX ? [] : [`The server took ${grownMb} MB more.`]),
    ...answers.filter((answer) => / 5\d\d$/.test(answer)),
    ...(await check({ folder: folder.path, settings })),
  ];
  const figures = {
    answers: answers.join(", "),
    "pictures of 50 million pixels at once": statuses.join(" "),
    "files kept": files.length,
    "memory of the server, MB more": grownMb,
  };
  return { figures, broken };
}

type Made = Uint8Array | Promise<Uint8Array>;

/** Pictures by name. The profile of 1.9 GB, which takes seconds to make, is among them if that is wanted. */
function corpus(isWhole: boolean): Readonly<Record<string, () => Made>> {
  const [width, height] = [400, 300];
  const png = () => picture("png", width, height);
  const profiled = async (primaries: readonly number[], bytes: number) =>
    profiledPng(await png(), colorProfile(primaries, bytes));
  return {
    "profile of 64 MB": () => profiled(SRGB, 64 * MB),
    ...(isWhole ? { "profile of 1.9 GB": () => withProfileOf(1_900 * MB) } : {}),
    "text of 64 MB": async () =>
      withChunk(await png(), "zTXt", await packed("Comment\0\0", 64 * MB)),
    "APP2 x 255": async () => withProfileParts(await picture("jpeg", width, height)),
    "<script>": async () =>
      withChunk(await png(), "tEXt", Buffer.from("t\0<script>alert(1)</script>")),
    "Display P3": () => profiled(DISPLAY_P3, 100_000),
    "Adobe RGB": () => profiled(ADOBE_RGB, 100_000),
    CMYK: () => Buffer.from(CMYK, "base64"),
    animated: async () => animated(await picture("webp", width, height)),
    cut: async () => (await picture("jpeg", width, height)).subarray(0, 2_000),
  };
}

function withChunk(png: Buffer, type: string, content: Buffer): Buffer {
  return Buffer.concat([png.subarray(0, 33), pngChunk(type, content), png.subarray(33)]);
}

async function withProfileOf(bytes: number): Promise<Buffer> {
  const profile = await packed("any\0\0", bytes, colorProfile(SRGB, 1_000));
  return withChunk(await picture("png", 400, 300), "iCCP", profile);
}

/** The head, then the beginning and zeros up to so many bytes, compressed piece by piece. */
async function packed(
  head: string,
  bytes: number,
  beginning: Uint8Array = Buffer.alloc(0),
): Promise<Buffer> {
  const zeros = Buffer.alloc(MB);
  const deflate = createDeflate();
  const parts = Array.fromAsync<Buffer>(deflate);
  deflate.write(beginning);
  for (let left = bytes - beginning.length; left > 0; left -= MB) {
    const isTaken = deflate.write(zeros.subarray(0, Math.min(left, MB)));
    if (!isTaken) await new Promise((resume) => deflate.once("drain", resume));
  }
  deflate.end();
  return Buffer.concat([Buffer.from(head, "latin1"), ...(await parts)]);
}

/** A profile in 255 parts of 60 kB each, the most that a JPEG can have (ICC.1, annex B.4). */
function withProfileParts(jpeg: Uint8Array): Buffer {
  const profile = colorProfile(SRGB, 255 * 60_000);
  const parts = Array.from({ length: 255 }, (_, nth) => {
    const content = profile.subarray(nth * 60_000, (nth + 1) * 60_000);
    const name = Buffer.from(`ICC_PROFILE\0${String.fromCharCode(nth + 1, 255)}`, "latin1");
    return segment(0xe2, Buffer.concat([name, content]));
  });
  return Buffer.concat([jpeg.subarray(0, 2), ...parts, jpeg.subarray(2)]);
}

function withComment(jpeg: Uint8Array, text: string): Uint8Array {
  return Buffer.concat([jpeg.subarray(0, 2), segment(0xfe, Buffer.from(text)), jpeg.subarray(2)]);
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** Two pictures after each other, a tenth of a second each. */
function animated(webp: Buffer): Buffer {
  const [width, height] = [webp.readUInt16LE(26) - 1, webp.readUInt16LE(28) - 1];
  const header = Buffer.from([0x02, 0, 0, 0, ...lowBytes(width), ...lowBytes(height)]);
  const place = [0, 0, 0, 0, 0, 0, ...lowBytes(width), ...lowBytes(height), ...lowBytes(100), 0];
  const frame = riffChunk("ANMF", Buffer.concat([Buffer.from(place), webp.subarray(12)]));
  const chunks = [riffChunk("VP8X", header), riffChunk("ANIM", Buffer.alloc(6)), frame, frame];
  return riffChunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks]));
}

/** 24 bits, the lowest first. */
function lowBytes(value: number): number[] {
  return [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff];
}

async function upload(duka: RunningDuka, bytes: Uint8Array): Promise<number> {
  const response = await fetch(`${duka.url}/v2/media`, {
    method: "POST",
    headers: { Authorization: `Bearer ${duka.key}`, "Content-Type": typeOf(bytes) },
    body: Uint8Array.from(bytes),
  });
  await response.arrayBuffer();
  return response.status;
}

function typeOf([first]: Uint8Array): string {
  if (first === 0xff) return "image/jpeg";
  return first === 0x89 ? "image/png" : "image/webp";
}

/** Looks at the memory of the program again and again. */
function watchMemory({ id }: RunningDuka) {
  const residentMb = () => {
    const status = readFileSync(`/proc/${id}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_000;
  };
  const before = residentMb();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, residentMb())), LOOK_MS);
  const grownMb = () => Math.round(most - before);
  return {
    grownMb,
    end: () => {
      clearInterval(timer);
      return grownMb();
    },
  };
}

function filesIn(folder: string) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".webp"))
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}

function wrongIn(name: string, bytes: Buffer): string[] {
  const { width = 0, height = 0, bytes: clean = Buffer.alloc(0) } = onlyPixels(bytes) ?? {};
  const foreign = chunkTypes(bytes).filter((type) => !/^(VP8[ LX]|ALPH|ICCP)$/.test(type));
  return [
    ...foreign.map((type) => `${name} has the chunk ${type}.`),
    ...(bytes.equals(clean) ? [] : [`${name} has more than pixels.`]),
    ...(bytes.includes("<script>") ? [`${name} has a script.`] : []),
    ...(bytes.length <= 3 * width * height + EXTRA_BYTES
      ? []
      : [`${name}: ${bytes.length} bytes.`]),
  ];
}
