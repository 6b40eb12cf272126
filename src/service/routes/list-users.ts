import { Readable } from 'node:stream';
import { pageLimits } from '../../contract/operations.ts';
import { parseTime } from '../../contract/time.ts';
import type { ApiRequest, ApiRoute } from '../context/route.ts';
import { apiError } from '../errors/api-error.ts';
import { jsonType } from '../http/body.ts';
import type { UserRows } from '../storage/users/user-pages.ts';
import { type ShownRow, userJson } from '../storage/users/user-row.ts';

type Query = ApiRequest['query'];

/** Lists users page by page, optionally filtered by time of change (§4.2, decisions 12 to 16). */
export const listUsers: ApiRoute<string | Readable> = async (context, { query, tenant, id }, reply) => {
  const { time_zone: timeZone } = tenant.definition;
  const offset = wholeNumber(query.offset);
  const limit = wholeNumber(query.limit);
  if (limit < pageLimits.min || limit > pageLimits.max) throw apiError('pageInvalid');
  const after = readBound(query, 'updated_at_greater', timeZone);
  const before = readBound(query, 'updated_at_less', timeZone);
  const page = await context.userPages.find(tenant, { offset, limit, after, before });
  const show = (row: ShownRow) => userJson(row, timeZone);
  reply.type(jsonType);
  if (page.rows.every((row) => typeof row === 'object'))
    return `{"total":${page.total},"users":[${page.rows.map(show).join()}]}`;
  const parts = partsOf(page, show, (error) => context.report(error, id));
  return Readable.from(parts, { objectMode: false });
};

/**
 * Yields the parts of an answer with large users, each of which is read when the caller has received what precedes it: 100 users
 * with pictures can have 500 MiB. `report` is called with a failure, after which the answer is cut off.
 */
async function* partsOf(
  { total, rows }: UserRows,
  show: (row: ShownRow) => string,
  report: (error: unknown) => void,
): AsyncGenerator<string> {
  let separator = '';
  yield `{"total":${total},"users":[`;
  try {
    for (const row of rows) {
      const read = typeof row === 'function' ? await row() : row;
      if (!read) continue;
      yield separator + show(read);
      separator = ',';
    }
  } catch (error) {
    report(error);
    throw error;
  }
  yield ']}';
}

function wholeNumber(text: Query[string]): number {
  if (typeof text !== 'string' || !/^\d{1,10}$/.test(text)) throw apiError('pageInvalid');
  return Number(text);
}

function readBound(query: Query, name: string, timeZone: string): number | undefined {
  const text = query[name];
  if (text === undefined || text === '') return undefined;
  const time = typeof text === 'string' ? parseTime(text, timeZone) : undefined;
  if (time === undefined) throw apiError('requestInvalid', `${name} must be a time, yyyy-MM-dd HH:mm:ss`);
  return time;
}
