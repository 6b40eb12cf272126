import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type AuditLine, auditLine } from '../../contract/audit-line.ts';
import { jsonLine } from '../../contract/value-schemas.ts';

/** Selects lines; times are ISO 8601 in UTC, and `until` is exclusive. */
export interface AuditFilter {
  user?: string | undefined;
  event?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

const linesPerPage = 500;

/**
 * Reads an audit log, oldest line first, a page at a time. `broken` is called for each invalid line, such as one cut off by a power
 * failure. Rejects with the system's error if the file cannot be read.
 */
export async function* readAudit(
  file: string,
  filter: AuditFilter,
  broken: () => void,
): AsyncGenerator<AuditLine[]> {
  let page: AuditLine[] = [];
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const text of lines) {
    const line = readLine(text);
    if (!line) broken();
    else if (isWanted(line, filter)) page.push(line);
    if (page.length === linesPerPage) {
      yield page;
      page = [];
    }
  }
  yield page;
}

/** Validates a line, because whoever can write the file decides what is in it. */
const readLine = jsonLine(auditLine);

function isWanted(line: AuditLine, { user, event, since, until }: AuditFilter): boolean {
  if (user !== undefined && line.user_id !== user) return false;
  if (event !== undefined && line.event !== event) return false;
  if (since !== undefined && line.time < since) return false;
  return until === undefined || line.time < until;
}
