// A request as a command line of curl, which a shell reads as it was sent.

interface CurlTerms {
  readonly method: string;
  readonly url: string;
  /** Null or empty for none. */
  readonly body: string | null;
}

/** The command. The key is a variable of the shell, so that no command line that is passed on has one. */
export function curlOf({ method, url, body }: CurlTerms): string {
  return [
    // Brackets, as in created_at[gte], would be a range of addresses.
    `curl${/[[\]{}]/.test(url) ? " --globoff" : ""}${methodOf(method)} ${quoted(url)}`,
    `-H "Authorization: Bearer $KEY"`,
    ...(body === null || body === ""
      ? []
      : [`-H 'Content-Type: application/json'`, `--data-raw ${quoted(body)}`]),
  ].join(" \\\n  ");
}

function methodOf(method: string): string {
  if (method === "GET") return "";
  return method === "HEAD" ? " --head" : ` -X ${method}`;
}

/** In single quotes a shell reads every character as it is, except a single quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
