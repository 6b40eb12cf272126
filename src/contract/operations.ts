/** Methods of HTTP; the operations have the first three. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export type Method = (typeof methods)[number];

/** One call of the API: how it is addressed, where the specification describes it, and whether a repeat is harmless. */
export interface Operation {
  method: Method;
  /** Path below the base URL; `:name` marks a path parameter. */
  url: string;
  /** Section of the specification, or `companion` for the vendor's endpoints beside it. */
  section: string;
  /** Sending it twice changes nothing that sending it once did not. */
  repeatable: boolean;
  /** It only looks users up: an application with the scope `read` may call it. */
  reads?: true;
  /** It needs no bearer: one calls it to get credentials, or to check them. */
  isOpen?: true;
  /** Its body may hold a picture, `head_img`, and so be larger than others. */
  takesPicture?: true;
  /** A text that every answer has in this field: an answer without it comes from something else. */
  answer?: string;
  /** The field holds a list in place of a text. */
  isList?: true;
}

/** What an application may do: everything, or the operations that only read. */
export const applicationScopes = ['all', 'read'] as const;

export type ApplicationScope = (typeof applicationScopes)[number];

const users = '/api/v2/tenant/users';

/** Users on a page of the list, from and to (§8). */
export const pageLimits = { min: 10, max: 100 } as const;

/** The twelve operations of the specification (§4). The key names the client method and the route file. */
export const operations = {
  obtainToken: {
    method: 'POST',
    url: '/api/v2/tenant/token',
    section: '4.1',
    isOpen: true,
    repeatable: true,
    answer: 'access_token',
  },
  listUsers: {
    method: 'GET',
    url: users,
    section: '4.2',
    reads: true,
    repeatable: true,
    answer: 'users',
    isList: true,
  },
  createUser: {
    method: 'POST',
    url: users,
    section: '4.3',
    repeatable: false,
    takesPicture: true,
    answer: 'user_id',
  },
  importHashedUser: {
    method: 'POST',
    url: `${users}/import-hash-pwd`,
    section: '4.4',
    repeatable: false,
    takesPicture: true,
    answer: 'user_id',
  },
  getUser: {
    method: 'GET',
    url: `${users}/:user_id`,
    section: '4.5',
    reads: true,
    repeatable: true,
    answer: 'user_id',
  },
  getUserByUserName: {
    method: 'POST',
    url: `${users}/user-by-username`,
    section: '4.6',
    reads: true,
    repeatable: true,
    answer: 'user_id',
  },
  getUserByEmail: {
    method: 'POST',
    url: `${users}/user-by-email`,
    section: '4.7',
    reads: true,
    repeatable: true,
    answer: 'user_id',
  },
  getUserByMobile: {
    method: 'POST',
    url: `${users}/user-by-mobile`,
    section: '4.8',
    reads: true,
    repeatable: true,
    answer: 'user_id',
  },
  getUserByExternalId: {
    method: 'POST',
    url: `${users}/user-by-external-id`,
    section: '4.9',
    reads: true,
    repeatable: true,
    answer: 'user_id',
  },
  updateUser: {
    method: 'PUT',
    url: `${users}/:user_id`,
    section: '4.10',
    repeatable: false,
    takesPicture: true,
    answer: 'user_id',
  },
  disableUser: {
    method: 'PUT',
    url: `${users}/:user_id/disable`,
    section: '4.11',
    repeatable: true,
    answer: 'user_id',
  },
  verifySsoTicket: {
    method: 'POST',
    url: '/api/v2/tenant/sso/sso-ticket/verify',
    section: '4.12',
    reads: true,
    repeatable: false,
  },
} as const satisfies Record<string, Operation>;

/**
 * Endpoints which the vendor publishes for the same product and the specification only speaks of: the local
 * service has them, so that a migration can be verified by logging in; a remote tenant may lack them.
 */
export const companions = {
  logIn: {
    method: 'POST',
    url: '/api/v2/sdk/login',
    section: 'companion',
    isOpen: true,
    repeatable: false,
    answer: 'status',
  },
  updatePassword: {
    method: 'POST',
    url: '/api/v2/sdk/pwd/update',
    section: 'companion',
    isOpen: true,
    repeatable: false,
    answer: 'status',
  },
  changePassword: {
    method: 'PUT',
    url: `${users}/:user_id/change-password`,
    section: 'companion',
    repeatable: true,
    answer: 'user_id',
  },
  issueSsoTicket: {
    method: 'POST',
    url: '/api/v2/tenant/sso/session-token/sso-ticket',
    section: 'companion',
    repeatable: false,
    answer: 'sso_ticket',
  },
  listKeys: {
    method: 'GET',
    url: '/api/v1/oauth2/keys',
    section: 'companion',
    isOpen: true,
    repeatable: true,
    answer: 'keys',
    isList: true,
  },
  discover: {
    method: 'GET',
    url: '/.well-known/openid-configuration',
    section: 'companion',
    isOpen: true,
    repeatable: true,
    answer: 'issuer',
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
export type CompanionName = keyof typeof companions;
/** The name of an operation or a companion. */
export type EndpointName = OperationName | CompanionName;

type Endpoints = typeof operations & typeof companions;
/** The name of one that needs no bearer. */
export type OpenName = {
  [Name in EndpointName]: Endpoints[Name] extends { isOpen: true } ? Name : never;
}[EndpointName];

/** The operations, and then the companions. */
export const endpoints: Record<EndpointName, Operation> = { ...operations, ...companions };

/** The operation that a call is, and the user in its path; `undefined` for an endpoint that is not known. */
export function operationOf(
  method: Method,
  path: string,
): { name: EndpointName; userId: string | undefined } | undefined {
  const [plain = ''] = path.split('?', 1);
  for (const [name, { method: its, url }] of Object.entries(endpoints)) {
    const pattern = new RegExp(`^${url.replace(':user_id', '([^/]+)')}$`);
    const found = its === method ? pattern.exec(plain) : null;
    if (found) return { name: name as EndpointName, userId: found[1] };
  }
  return undefined;
}

/** The last part of each path: what is none of these behind `users/` is a user id. */
const lastParts: ReadonlySet<string | undefined> = new Set(
  Object.values(operations).map(({ url }) => url.split('/').at(-1)),
);

/** A path below any base URL as it may be shown: what a person typed as a user id may be an address, or a secret in the wrong place. */
export function hideOddIds(path: string, hidden: string): string {
  return path.replace(/(?<=\/users\/)[^/]+/, (part) =>
    lastParts.has(part) || hasFormOfId(part) ? part : hidden,
  );
}

/** Has a text the form of a user id (decision 6)? Other services may make longer ones. */
export function hasFormOfId(text: string): boolean {
  return /^\d{6,}-[\w-]{1,80}$/.test(text);
}

/** Does a call only look something up? A path that is not known may change something, unless it is asked for with GET. */
export function isRead(method: Method, path: string): boolean {
  const [plain = ''] = path.split('?', 1);
  const known: readonly Operation[] = Object.values(operations);
  return (
    method === 'GET' || known.some(({ method: its, url, reads }) => reads && its === method && url === plain)
  );
}
