// Values that no field can keep as they were written: numbers that a double cannot hold, and control characters.

import { isObject } from "#kernel/assume.ts";
import type { Fault } from "#kernel/fault.ts";
import { toPointerStep } from "#kernel/refusal.ts";
import { LossyNumber } from "#platform/http/strict-json.ts";

const SPACE = 0x20;
/** Tab, line feed, carriage return. */
const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d]);

/**
 * The code of the first control that is neither a blank nor a line end; null without one. PostgreSQL cannot keep U+0000,
 * and no field means the others.
 */
function controlIn(text: string): number | null {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < SPACE && !BLANKS.has(code)) return code;
  }
  return null;
}

/**
 * Returns true if the value contains a number that a double cannot hold, which typebox sees as an object, or a text or a
 * name with a control character.
 */
function holdsUnkeepable(value: unknown): boolean {
  if (typeof value === "string") return controlIn(value) !== null;
  if (value instanceof LossyNumber) return true;
  if (Array.isArray(value)) return value.some(holdsUnkeepable);
  if (!isObject(value)) return false;
  for (const name in value) {
    if (controlIn(name) !== null || holdsUnkeepable(value[name])) return true;
  }
  return false;
}

/** Adds a fault for each number, text and name in the value that cannot be kept, up to `most` in all. */
export function noteUnkeepable(
  value: unknown,
  pointer: string,
  { faults, most }: { readonly faults: Fault[]; readonly most: number },
): void {
  if (faults.length >= most || !holdsUnkeepable(value)) return;
  if (value instanceof LossyNumber) {
    const detail = "This number has more digits than can be stored exactly.";
    faults.push({ pointer, code: "number_precision", detail });
    return;
  }
  if (typeof value === "string") {
    noteControl(value, pointer, faults);
    return;
  }
  for (const [name, inner] of Object.entries(Object(value))) {
    const at = `${pointer}/${toPointerStep(name)}`;
    noteControl(name, at, faults);
    noteUnkeepable(inner, at, { faults, most });
  }
}

function noteControl(text: string, pointer: string, faults: Fault[]): void {
  const code = controlIn(text);
  if (code === null) return;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const detail = `This has the character ${name}, which cannot be kept.`;
  faults.push({ pointer, code: "invalid_format", detail });
}
