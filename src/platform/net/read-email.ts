// Emails as people write and paste them.

import { domainToASCII } from "node:url";

import { identifier } from "#kernel/text.ts";

const ASCII = /^[!-~]*$/;
const DOMAIN_AS_WRITTEN = /^[\p{L}\p{M}\p{N}.-]+$/u;

/** The email in its form, with its domain by IDNA. The local part keeps its letters (RFC 6531). */
export function readEmail(text: string): string {
  const email = identifier(text);
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1);
  if (at === -1 || ASCII.test(domain) || !DOMAIN_AS_WRITTEN.test(domain)) return email;
  return `${email.slice(0, at)}@${domainToASCII(domain)}`;
}
