import { UsageError } from '../../errors/errors.ts';

const here = 'http://base.invalid';

/** Where a path without a slash at its beginning is. */
const usual = '/api/v2/tenant/';

/**
 * The path and query of a call below the base URL, as people write it: `users`, from a slash on, or as a whole address. Throws
 * `UsageError` for another host, which must not get the token, and for the endpoint that takes a secret.
 */
export function pathOn(base: string | undefined, given: string): string {
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
  if (/[?&](?:client_secret|pwd|password)=/i.test(url.search)) {
    throw new UsageError('a secret is never part of a path', 'Put it into the body: --data FILE');
  }
  return path + url.search;
}
