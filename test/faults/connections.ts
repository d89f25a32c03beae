// The connections of a program and of all that it starts, as strace sees them: where each leads, and nothing else.

import { readFileSync } from "node:fs";

/** The command that starts a program with its connections recorded in a file. */
export function recordingConnections(file: string, program: readonly string[]): string[] {
  const strace = ["strace", "-f", "--seccomp-bpf", "--quiet=all", "-e", "signal=none"];
  const calls = "trace=connect,sendto,sendmsg,sendmmsg";
  // A signal that ends the recorder also ends the recorded program.
  const bound = ["setpriv", "--pdeathsig", "KILL", ...program];
  return [...strace, "-s", "0", "-e", calls, "-o", file, ...bound];
}

/** An address of the internet, with its port before it in the trace. */
const INTERNET = /sin6?_port=htons\((\d+)\).*?(?:inet_addr\(|inet_pton\(AF_INET6, )"([^"]+)"/g;
const LOCAL = /sun_path=@?"([^"]*)"/g;

/** Every place to which something was sent or connected, once: `address port`, or the path of a socket. */
export function placesIn(file: string): string[] {
  const trace = readFileSync(file, "utf8");
  const places = [...trace.matchAll(INTERNET)].map(([, port, address]) => `${address} ${port}`);
  const paths = [...trace.matchAll(LOCAL)].map(([, path = ""]) => path);
  return [...new Set([...places, ...paths])].toSorted();
}
