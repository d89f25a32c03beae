// Checks what a publishable key sends, compiled from the schema of a body or a query.

import { isObject } from "#kernel/assume.ts";
import type { Fault, FaultCode } from "#kernel/fault.ts";
import { toPointerStep } from "#kernel/refusal.ts";

import { branchesOf, isPublicField, type PublicTerms, termsOf } from "./audience.ts";

/** Collects the fields of a request that only secret keys may send. */
export type PublicCheck = (value: unknown, pointer: string, faults: Fault[]) => void;

const nothing: PublicCheck = () => {};

/** The check of what a publishable key sends, for a body or a query of this schema. */
export function publicCheck(schema: unknown): PublicCheck {
  if (!isObject(schema)) return nothing;
  const checks = [
    checkOfTerms(termsOf(schema)),
    checkOfMembers(schema["properties"]),
    checkOfItems(schema["items"]),
    ...branchesOf(schema).map(publicCheck),
  ].filter((check) => check !== nothing);
  if (checks.length === 0) return nothing;
  return (value, pointer, faults) => {
    for (const check of checks) check(value, pointer, faults);
  };
}

function checkOfTerms({ names, values }: PublicTerms): PublicCheck {
  if (names === undefined && values === undefined) return nothing;
  const pattern = names === undefined ? null : new RegExp(names);
  return (value, pointer, faults) => {
    if (pattern !== null && isObject(value)) {
      for (const name of Object.keys(value).filter((one) => !pattern.test(one))) {
        faults.push(notAllowed(`${pointer}/${toPointerStep(name)}`));
      }
    }
    if (values !== undefined && !values.some((one) => one === value)) {
      const detail = `A publishable key may only send ${values.join(" or ")}.`;
      faults.push({ ...notAllowed(pointer), detail });
    }
  };
}

function checkOfMembers(properties: unknown): PublicCheck {
  if (!isObject(properties)) return nothing;
  const members = Object.entries(properties).map(([name, schema]) => ({
    name,
    isPublic: isPublicField(schema),
    isNeeded: termsOf(schema).required === true,
    check: publicCheck(schema),
  }));
  return (value, pointer, faults) => {
    if (!isObject(value)) return;
    for (const member of members) {
      const at = `${pointer}/${member.name}`;
      const given = Object.hasOwn(value, member.name) ? value[member.name] : undefined;
      if (member.isNeeded && (given === undefined || given === null)) {
        const detail = "A publishable key must send this field.";
        faults.push({ pointer: at, code: "required", detail });
      } else if (given !== undefined && !member.isPublic) faults.push(notAllowed(at));
      else if (given !== undefined) member.check(given, at, faults);
    }
  };
}

function checkOfItems(items: unknown): PublicCheck {
  const check = publicCheck(items);
  if (check === nothing) return nothing;
  return (value, pointer, faults) => {
    if (!Array.isArray(value)) return;
    value.forEach((one, index) => check(one, `${pointer}/${index}`, faults));
  };
}

function notAllowed(pointer: string): { pointer: string; code: FaultCode; detail: string } {
  const detail = "Only a secret key may send this field.";
  return { pointer, code: "not_allowed_for_public_key", detail };
}
