// A mailbox: the name and the address of a sender or a receiver of emails (RFC 5322, 3.4).

export interface Mailbox {
  readonly name: string | null;
  readonly address: string;
}

/** A domain with a point, or this machine's name; the local part in any script. */
const ADDRESS = /^[^\s@<>(),:;"[\]\\]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/;
const NAMED = /^"?([^"<>\p{Cc}]*?)"?\s*<([^<>]+)>$/u;

/** Reads `address`, or `Name <address>`. Throws a RangeError, written to follow the name of a setting. */
export function readMailbox(text: string): Mailbox {
  const [, name = "", named] = NAMED.exec(text) ?? [];
  const address = named ?? text;
  if (!ADDRESS.test(address)) {
    throw new RangeError(`"${text}" is neither an email address nor Name <address>`);
  }
  return { name: name.trim() === "" ? null : name.trim(), address };
}
