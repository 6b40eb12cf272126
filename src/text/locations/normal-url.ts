/**
 * Returns an http or https URL in the one form in which two are compared: as the URL standard writes it, without a slash at its end.
 * Any other text stays as it is.
 */
export function normalUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.href.replace(/\/$/, '') : text;
}
