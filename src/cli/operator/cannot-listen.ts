// The error of an address that a server cannot listen on, with what to do about it.

import type { Config } from "#platform/config/config.ts";

/** The server cannot listen where its settings say; the sentence names the setting to change. */
export class CannotListen extends Error {
  constructor(detail: string, options: ErrorOptions) {
    super(detail, options);
    this.name = "CannotListen";
  }
}

/** The error with what to do about it, if it is of the address to listen on. `ways` are those to name a port. */
export function explainListening(
  error: unknown,
  { host, port }: Config["listen"],
  ways = "--port or DUKA_PORT",
): unknown {
  // A file of the data directory may be denied as well.
  if (!(error instanceof Error && "syscall" in error && error.syscall === "listen")) return error;
  const code = "code" in error ? error.code : null;
  const choose = `Choose another port with ${ways}`;
  const details: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is in use. ${choose}; 0 takes any free one.`,
    EACCES: `Port ${port} of ${host} needs root. ${choose}; those above 1023 do not.`,
    EADDRNOTAVAIL: `${host} is no address of this machine. Set --host or DUKA_HOST.`,
  };
  const detail = details[String(code)];
  return detail === undefined ? error : new CannotListen(detail, { cause: error });
}
