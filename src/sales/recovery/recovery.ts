// The addresses of recovery links.

/**
 * Returns the address of a recovery link. A merchant's template gets the token in place of
 * `{token}`, or else as `token=` in its query; without a template the address is a page of this
 * server.
 */
export function recoveryUrl(template: string | null, publicUrl: string, token: string): string {
  if (template === null) return `${publicUrl}/recover/${token}`;
  if (template.includes("{token}")) return template.replaceAll("{token}", token);
  const url = new URL(template);
  url.searchParams.append("token", token);
  return url.href;
}
