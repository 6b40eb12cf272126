/** HTTP methods; the operations use only the first three. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export type Method = (typeof methods)[number];

/** One call of the API: its address, where the specification describes it, and how it may be called. */
export interface Operation {
  method: Method;
  /** Path below the base URL; `:name` marks a path parameter. */
  url: string;
  /** Section of the specification; `companion` for the vendor's endpoints beside the API. */
  section: string;
  /** True if sending the request twice has the same effect as sending it once: the client may send it again. */
  repeatable?: boolean;
  /** Set if the call only looks users up: an application with the scope `read` may make it. */
  reads?: true;
  /** Set if the call needs no bearer token, such as a login. */
  isOpen?: true;
  /** Set if the body may contain a picture, `head_img`, and so be larger than others. */
  takesPicture?: true;
  /**
   * Field that every answer has, a non-empty text unless `isList` is set; answers without it do not come from the API. Without this,
   * an answer has at least one field.
   */
  answer?: string;
  /** Set if the field `answer` holds a list instead of a text. */
  isList?: true;
  /** The user whom a call names in its address: an answer about somebody else is not accepted. */
  userId?: string;
  /** Set for a call of an endpoint that is not in the tables: any success is an answer, an empty one too. */
  isUnknown?: true;
}

/** Scopes of an application: `all` permits everything, `read` only the operations that read. */
export const applicationScopes = ['all', 'read'] as const;

export type ApplicationScope = (typeof applicationScopes)[number];

const users = '/api/v2/tenant/users';

/** Minimum and maximum number of users on a page of the list (§8). */
export const pageLimits = { min: 10, max: 100 } as const;

const lookUp = { method: 'POST', reads: true, repeatable: true, answer: 'user_id' } as const;
const writing = { method: 'POST', takesPicture: true, answer: 'user_id' } as const;

/** The twelve operations of the specification (§4). The key is the name of the client method, and usually of the route file. */
export const operations = {
  obtainToken: {
    method: 'POST',
    url: '/api/v2/tenant/token',
    section: '4.1',
    isOpen: true,
    repeatable: true,
    answer: 'access_token',
  },
  listUsers: { ...lookUp, method: 'GET', url: users, section: '4.2', answer: 'users', isList: true },
  createUser: { ...writing, url: users, section: '4.3' },
  importHashedUser: { ...writing, url: `${users}/import-hash-pwd`, section: '4.4' },
  getUser: { ...lookUp, method: 'GET', url: `${users}/:user_id`, section: '4.5' },
  getUserByUserName: { ...lookUp, url: `${users}/user-by-username`, section: '4.6' },
  getUserByEmail: { ...lookUp, url: `${users}/user-by-email`, section: '4.7' },
  getUserByMobile: { ...lookUp, url: `${users}/user-by-mobile`, section: '4.8' },
  getUserByExternalId: { ...lookUp, url: `${users}/user-by-external-id`, section: '4.9' },
  updateUser: { ...writing, method: 'PUT', url: `${users}/:user_id`, section: '4.10' },
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
  },
} as const satisfies Record<string, Operation>;

const companion = { section: 'companion' } as const;

/**
 * Endpoints that the vendor publishes for the same product, but that the specification only mentions. The local service has them so
 * that a migration can be verified by logging in; a remote tenant may lack them.
 */
export const companions = {
  logIn: { ...companion, method: 'POST', url: '/api/v2/sdk/login', isOpen: true, answer: 'status' },
  updatePassword: { ...companion, method: 'POST', url: '/api/v2/sdk/pwd/update', isOpen: true },
  changePassword: { ...companion, method: 'PUT', url: `${users}/:user_id/change-password` },
  issueSsoTicket: {
    ...companion,
    method: 'POST',
    url: '/api/v2/tenant/sso/session-token/sso-ticket',
    answer: 'sso_ticket',
  },
  listKeys: { ...companion, method: 'GET', url: '/api/v1/oauth2/keys', isOpen: true },
  discover: { ...companion, method: 'GET', url: '/.well-known/openid-configuration', isOpen: true },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
export type CompanionName = keyof typeof companions;
/** The name of an operation or a companion. */
export type EndpointName = OperationName | CompanionName;

type Endpoints = typeof operations & typeof companions;
/** The name of an endpoint that needs no bearer token. */
export type OpenName = {
  [Name in EndpointName]: Endpoints[Name] extends { isOpen: true } ? Name : never;
}[EndpointName];

/** All endpoints: the operations, then the companions. */
export const endpoints: Record<EndpointName, Operation> = { ...operations, ...companions };

/** Returns a pattern of the paths of an endpoint, without the query; each path parameter is a group. */
export function patternOf(url: string): RegExp {
  return new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '([^/]+)')}$`);
}

/** Returns the endpoint that a request addresses, and the user id in its path; `undefined` for an unknown endpoint. */
export function operationOf(method: string, path: string) {
  const [plain = ''] = path.split('?', 1);
  for (const [name, { method: its, url }] of Object.entries(endpoints)) {
    const found = its === method ? patternOf(url).exec(plain) : null;
    if (found) return { name: name as EndpointName, userId: found[1] };
  }
  return undefined;
}

/** Last part of each operation's path; anything else after `users/` is a user id. */
const lastParts: ReadonlySet<string | undefined> = new Set(
  Object.values(operations).map(({ url }) => url.split('/').at(-1)),
);

/** Replaces a user id of unusual form in a path by `hidden`: a person may have typed an e-mail address or a secret there. */
export function hideOddIds(path: string, hidden: string): string {
  return path.replace(/(?<=\/users\/)[^/]+/, (part) =>
    lastParts.has(part) || hasFormOfId(part) ? part : hidden,
  );
}

/** True if a text looks like a user id (decision 6), or like a longer one of another service. */
export function hasFormOfId(text: string): boolean {
  return /^\d{6,}-[\w-]{1,80}$/.test(text);
}

/** True if a call only reads. The exchange of a ticket uses it up; so may a request to an unknown path, unless its method is GET. */
export function isRead(method: Method, path: string): boolean {
  const found = operationOf(method, path);
  const { reads, repeatable } = found ? endpoints[found.name] : {};
  return method === 'GET' || (reads === true && repeatable === true);
}
