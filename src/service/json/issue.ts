/** An issue in a JSON file and its path, such as `attributes.email.pattern`; an empty path means the whole file. */
export interface JsonIssue {
  path: string;
  message: string;
}

/** Returns the path of a member: `extension.age`, `sso.fields[0]`, `extension["shoe size"]`. */
export function pathTo(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!/^[\p{L}\p{N}_-]{1,64}$/u.test(key)) return `${path}[${shortJson(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Formats a value so that a person recognizes it, cut after 60 characters. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Formats issues as lines of text. */
export function issueLines(issues: readonly JsonIssue[]): string[] {
  return issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
}
