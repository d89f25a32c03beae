// `duka health`: one word on the server, for programs that restart it or send it visitors. It asks over the socket of the
// data directory, which needs neither a certificate nor a token, else at the address of the settings.

import { member } from "#cli/operator/members.ts";
import { type Config, publicUrlAt } from "#platform/config/config.ts";
import { callAnywhere } from "#platform/net/call-anywhere.ts";
import { askServer } from "#platform/operator/ask-server.ts";
import { print } from "#platform/process/output.ts";

import { readSettings, type SettingOptions } from "./settings.ts";

/** With the start of this program at most 3 s. */
const ASKING_MS = 2_000;

/** Prints `ready`, `not_ready`, `down` or `silent`; returns true if the server is ready. */
export async function healthAtTerminal(options: SettingOptions): Promise<boolean> {
  const config = readSettings(options);
  // A connection that is not answered would keep this program.
  const silence = setTimeout(() => {
    print("silent");
    process.exit(1);
  }, ASKING_MS);
  const health = await askForHealth(config);
  clearTimeout(silence);
  print(health);
  return health === "ready";
}

/** A server that ends meanwhile is down. */
async function askForHealth(config: Config): Promise<string> {
  try {
    const answer = await askServer(config.dataDirectory, "server.health", null);
    if (answer.answered) return member(answer.output, "ready") === true ? "ready" : "not_ready";
    return await askOverHttp(config);
  } catch {
    return "down";
  }
}

async function askOverHttp(config: Config): Promise<string> {
  const url = publicUrlAt({ ...config, publicUrl: null }, config.listen.port);
  const call = { method: "GET", url: `${url}/readyz`, headers: {}, timeoutMs: ASKING_MS };
  const { status } = await callAnywhere(call);
  return status === 200 ? "ready" : "not_ready";
}
