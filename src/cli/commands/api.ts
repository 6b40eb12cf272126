import { Argument } from '@commander-js/extra-typings';
import type { Client } from '../../client/client.ts';
import { createSeenIds } from '../../client/seen-ids.ts';
import { isRecord } from '../../contract/is-record.ts';
import { isRead, type Method, methods, operationOf } from '../../contract/operations.ts';
import { ListingError } from '../../migration/model/errors.ts';
import { formatCount } from '../../text/format-count.ts';
import { isSecretField } from '../../text/redact.ts';
import { connect, sayTarget, targetTenant } from '../connection/connect.ts';
import { requireConsent } from '../connection/consent.ts';
import type { AddCommand, CommandContext } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { readJsonObject } from '../input/read-input.ts';
import { recordChange } from '../log/write-log.ts';
import { selectColumns, toJson } from '../output/formats/json.ts';
import { isFlat, say, show, showDocument, write } from '../output/show.ts';

type Page = Record<string, unknown>;

const help = `
The token goes to the configured service and nowhere else. A call that may change something asks
first; in a script, pass --yes. With --local it does not ask. Tokens, tickets and secrets in an
answer are hidden. Failures and exit codes are those of the other commands.

Examples:
  $ tenant-users api GET users/20201028102749564-9082-DC8CD2722
  $ tenant-users api POST users/user-by-email --data email.json
  $ tenant-users api GET 'users?updated_at_greater=2026-11-01 00:00:00' --paginate -o jsonl
  $ tenant-users api GET /.well-known/openid-configuration`;

export const addApi: AddCommand = (parent, context) => {
  parent
    .command('api')
    .description("Call any endpoint of the API with the profile's token")
    .addArgument(new Argument('<method>', 'HTTP method').choices(methods))
    .argument('<path>', 'path below /api/v2/tenant/, or from a slash on below the base URL')
    .option('--data <file>', 'JSON object to send (- for standard input)')
    .option('--paginate', 'read every page of a list, from page 0 on')
    .addHelpText('after', help)
    .action(async (method, given, { data, paginate }) => {
      const path = pathOn(targetTenant(context).address, given);
      if (method === 'GET' && data !== undefined) {
        throw new UsageError('--data cannot be used with GET', 'Put the values into the path: ?name=value');
      }
      if (method !== 'GET' && paginate) throw new UsageError('--paginate requires GET');
      const body = data === undefined ? undefined : await readJsonObject(context, data);
      const mayChange = !isRead(method, path);
      if (mayChange) {
        sayTarget(context);
        await requireConsent(context, {
          users: 1,
          what: `send ${method} ${path}`,
          refused: 'nothing was sent',
          preview: [],
        });
      }
      const client = await connect(context);
      if (paginate) return showPages(context, client, path);
      const call = () => client.call({ method, url: path }, body);
      const answer = mayChange ? await recordChange(context, changeOf(method, path), call) : await call();
      await (Array.isArray(answer) ? showArray(context, answer) : showDocument(context, answer));
    });
};

/** Prints an array that an endpoint answered: as one JSON document, or a record a row in another format. */
async function showArray(context: CommandContext, answer: readonly unknown[]): Promise<void> {
  const { output = 'json', columns } = context.options;
  const rows = answer.map((value) => (isRecord(value) ? value : { value }));
  if (output === 'json') {
    const document = columns ? rows.map(selectColumns(columns)) : answer;
    return write(context.stdout, `${toJson(document, 2)}\n`);
  }
  await show(context, { rows, columns: keysOf(rows) });
}

const outcomes = {
  createUser: 'created',
  importHashedUser: 'created',
  updateUser: 'updated',
  disableUser: 'disabled',
} as const;

/** What a call does to a user, for the log; `sent` for other calls, which may do anything. */
function changeOf(method: Method, path: string) {
  const { name, userId } = operationOf(method, path) ?? {};
  const outcome = name !== undefined && name in outcomes ? outcomes[name as keyof typeof outcomes] : 'sent';
  return { command: 'api', userId, outcome } as const;
}

/** Prints all pages of a list as one document with the total. */
async function showPages(context: CommandContext, client: Client, path: string): Promise<void> {
  const pageAt = async (offset: number) => {
    const url = new URL(path, 'http://base');
    if (!url.searchParams.has('limit')) url.searchParams.set('limit', '100');
    url.searchParams.set('offset', String(offset));
    const page = await client.call({ method: 'GET', url: url.pathname + url.search });
    return isRecord(page) ? page : {};
  };
  const first = await pageAt(0);
  const name = Object.keys(first).find((key) => Array.isArray(first[key]));
  if (name === undefined || !Number.isSafeInteger(first.total)) {
    throw new UsageError(`${path} is no list of pages`, 'Leave --paginate out.');
  }
  let [rows, again, total, most] = [0, 0, Number(first.total), 0];
  const isNew = createSeenIds();
  const options = context.options.output ? context.options : { ...context.options, output: 'json' as const };
  const shown: CommandContext = Object.assign(Object.create(context), { options });
  const columns = keysOf((first[name] as unknown[]).filter(isRecord));
  /** True if the first page decides on the columns, so that a field which only later pages have is lost. */
  const areFixed = isFlat(shown) && !options.columns;
  const lost = new Set<string>();

  async function* pages(): AsyncGenerator<Page[]> {
    let page = first;
    for (let offset = 1; ; offset += 1) {
      const list = page[name ?? ''];
      const came = Array.isArray(list) ? list.filter(isRecord) : [];
      const found = came.filter(({ user_id: id }) => typeof id !== 'string' || isNew(id));
      rows += found.length;
      again += came.length - found.length;
      total = Number(page.total);
      most = Math.max(most, total);
      if (areFixed) for (const key of keysOf(found)) if (!columns.includes(key)) lost.add(key);
      yield found;
      if (found.length === 0 || rows >= total) return;
      page = await pageAt(offset);
    }
  }

  const list = { name, rest: () => ({ total }) };
  await show(shown, { rows: pages(), list, columns });
  say(context, `${rows} of ${total}`);
  if (rows !== total || total < most) {
    const fell = total < most ? `, and was ${most} before` : '';
    const repeated = again > 0 ? ` (${formatCount(again, 'row')} came again)` : '';
    const hint = 'Run it again at a quieter time.';
    throw new ListingError(`${rows} rows came; the total is ${total}${fell}${repeated}`, hint);
  }
  if (lost.size > 0) {
    const names = [...lost].join(', ');
    const hint = 'Name the columns with --columns, or use -o jsonl.';
    throw new ListingError(`records on later pages have fields without a column: ${names}`, hint);
  }
}

function keysOf(records: readonly Page[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

const here = 'http://base.invalid';

/** Prefix of a path that does not begin with a slash. */
const usual = '/api/v2/tenant/';

/**
 * Path and query of a call, below the base URL. Accepts `users`, a path from a slash on, or a whole URL. Throws a
 * `UsageError` for another host, which must not get the token, for the token endpoint, and for a secret in the query.
 */
function pathOn(base: string | undefined, given: string): string {
  const origin = base === undefined ? undefined : new URL(base);
  const url = URL.canParse(given, here + usual) ? new URL(given, here + usual) : undefined;
  if (!url || url.username || url.password || url.hash) {
    throw new UsageError(
      'the path of the call is not valid',
      'Write it as users/ID, or /api/v2/tenant/users/ID.',
    );
  }
  const prefix = origin?.pathname.replace(/\/$/, '') ?? '';
  const isWhole = url.origin !== here;
  if (isWhole && (url.origin !== origin?.origin || !url.pathname.startsWith(`${prefix}/`))) {
    throw new UsageError(
      `${url.origin} is not the configured service, and gets no token`,
      `Write the path alone: ${url.pathname}`,
    );
  }
  const path = isWhole ? url.pathname.slice(prefix.length) : url.pathname;
  if (/^\/api\/v\d+\/tenant\/token\/?$/.test(path)) {
    throw new UsageError(
      'the program obtains the token by itself',
      'To see when it ends: tenant-users status',
    );
  }
  if ([...url.searchParams.keys()].some(isSecretField)) {
    throw new UsageError('a secret is never part of a path', 'Put it into the body: --data FILE');
  }
  return path + url.search;
}
