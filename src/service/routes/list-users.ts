import type { FastifyInstance } from 'fastify';
import { operations, pageLimits } from '../../contract/operations.ts';
import { parseTime } from '../../contract/time.ts';
import type { ServiceContext } from '../context/context.ts';
import { apiError } from '../errors/api-error.ts';
import { jsonType } from '../http/body.ts';
import { openUserPages } from '../storage/users/user-pages.ts';
import { userJson } from '../storage/users/user-row.ts';

type Query = Record<string, string | string[] | undefined>;

/** Lists users page by page, optionally filtered by time of change (§4.2, decisions 12 to 16). */
export function listUsers(app: FastifyInstance, context: ServiceContext): void {
  const pages = openUserPages(context.database);
  app.route<{ Querystring: Query }>({
    ...operations.listUsers,
    async handler({ query, tenant }, reply): Promise<string> {
      const { time_zone: timeZone } = tenant.definition;
      const offset = wholeNumber(query.offset);
      const limit = wholeNumber(query.limit);
      if (limit < pageLimits.min || limit > pageLimits.max) throw apiError('pageInvalid');
      const after = readBound(query, 'updated_at_greater', timeZone);
      const before = readBound(query, 'updated_at_less', timeZone);
      const page = await pages.find(tenant, { offset, limit, ...after, ...before });
      const users = page.rows.map((row) => userJson(row, timeZone));
      reply.type(jsonType);
      return `{"total":${page.total},"users":[${users.join()}]}`;
    },
  });
}

function wholeNumber(text: Query[string]): number {
  if (typeof text !== 'string' || !/^\d{1,10}$/.test(text)) throw apiError('pageInvalid');
  return Number(text);
}

const bounds = { updated_at_greater: 'after', updated_at_less: 'before' } as const;

function readBound(
  query: Query,
  name: keyof typeof bounds,
  timeZone: string,
): { after?: number; before?: number } {
  const text = query[name];
  if (text === undefined || text === '') return {};
  const time = typeof text === 'string' ? parseTime(text, timeZone) : undefined;
  if (time === undefined) throw apiError('requestInvalid', `${name} must be a time, yyyy-MM-dd HH:mm:ss`);
  return { [bounds[name]]: time };
}
