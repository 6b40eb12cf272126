/**
 * Returns an http or https URL in the one form in which two are compared: as the URL standard writes it, without a slash at its end.
 * Any other text stays as it is.
 */
export function normalUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.href.replace(/\/$/, '') : text;
}

/** Returns what identifies a tenant with its base URL in that form: older records have it as it was typed. */
export function normalTarget(target: Readonly<Record<string, string>>): Record<string, string> {
  const { base_url, ...rest } = target;
  return base_url === undefined ? rest : { base_url: normalUrl(base_url), ...rest };
}
