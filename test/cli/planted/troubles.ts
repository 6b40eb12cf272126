import { type Answer, anyAnswer, json, type Received } from '../../client/start-peer.ts';
import { planted } from './secrets.ts';

/** All texts of a request, plain and decoded. */
function said({ url, headers, body }: Received): string {
  const basic = headers.authorization?.replace(/^Basic /, '') ?? '';
  const decoded = Buffer.from(basic, 'base64').toString();
  const plain = decodeURIComponent(url.replaceAll('+', ' '));
  return [url, plain, headers.authorization, decoded, body, body.replaceAll('\\"', '"')].join(' ');
}

const again = { 'retry-after': '0' };

/** Answers with a body that repeats the request. */
function repeat(status: number, bodyOf: (text: string) => unknown): Answer {
  return (received, response) => json(status, bodyOf(said(received)), again)(received, response);
}

const page: Answer = (received, response) => {
  response.writeHead(500, { 'content-type': 'text/html' }).end(`<pre>${said(received)}</pre>`);
};
const malformed: Answer = (received, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(`{"user_id": "${said(received)}`);
};
const cut: Answer = (received, response) => {
  const body = `{"user_id": "${said(received)}`;
  response.writeHead(200, { 'content-length': body.length + 9 });
  response.write(body, () => void response.destroy());
};
const silence: Answer = () => {};
/** A short timeout, for services that do not answer. */
const soon = '0.1';
const refuse = (code: string) => repeat(400, (text) => ({ error_code: code, error_msg: `no: ${text}` }));
/** Repeats what an earlier request contained: in every field of data, or in the error of a request that writes. */
const tattle: Answer = (received, response) => {
  const remembered = `${planted.clientSecret} ${planted.token}`;
  const user = { user_id: remembered, user_name: remembered, extension: { [remembered]: remembered } };
  const data = json(200, { ...anyAnswer, ...user, total: 1, users: [user] });
  const refusal = json(400, { error_code: planted.clientSecret, error_msg: `no: ${remembered}` });
  (received.method === 'GET' ? data : refusal)(received, response);
};
const token = json(200, {
  access_token: planted.token,
  expires_in: 1800,
  token_type: 'bearer',
  scope: 'all',
});
/** A look-up by user name must find a user with this name. */
const whole = json(200, { ...anyAnswer, user_name: 'ann', total: 0 });

/** What can go wrong for a command: answers of the service, and other obstacles. */
export interface Trouble {
  token?: Answer;
  call?: Answer;
  env?: Record<string, string>;
  /** Replaces the configuration file; the environment then has no credentials. */
  config?: string;
  /** The timeout of a call in seconds. */
  timeout?: string;
  /** Added after the command's own arguments. */
  args?: string[];
  /** The command is interrupted after this many calls. A run without an end would send more and more. */
  interruptAt?: number;
}

/** Nothing goes wrong. */
export const none: Trouble = {};

/** Every kind of failure. */
export const troubles: Record<string, Trouble> = {
  'a code with an echo': { call: refuse('SVC.TENANT.COM.0003') },
  'a conflict with an echo': { call: refuse('SVC.TENANT.USER.0034') },
  'an echo as code': { call: repeat(400, (text) => ({ error_code: text, error_msg: text })) },
  'a failing service with an echo': {
    call: repeat(500, (text) => ({ error_code: 'SVC.TENANT.COM.0002', error_msg: text })),
    interruptAt: 3,
  },
  'an earlier secret': { call: tattle, interruptAt: 6 },
  'a 500 page': { call: page, interruptAt: 3 },
  'malformed JSON': { call: malformed, interruptAt: 3 },
  'another JSON': { call: repeat(200, (text) => ({ text, [text]: text })), interruptAt: 3 },
  'a list of another kind': { call: repeat(200, (text) => [text]), interruptAt: 3 },
  'an answer cut off': { call: cut, interruptAt: 1 },
  'an interrupt': { call: silence, interruptAt: 1, timeout: soon },
  'a token that is refused': {
    call: repeat(400, (text) => ({ error: 'invalid_token', error_description: text })),
  },
  'a wrong secret': { token: repeat(400, (text) => ({ error: 'invalid_client', error_description: text })) },
  'a code for the token': { token: refuse('SVC.TENANT.COM.0003') },
  'a page for the token': { token: page, interruptAt: 1 },
  'malformed JSON for the token': { token: malformed },
  'an interrupt of the token': { token: silence, interruptAt: 1, timeout: soon },
  'a dead service': { env: { TENANT_USERS_BASE_URL: 'http://127.0.0.1:1' }, interruptAt: 0 },
  'a dead proxy': { env: { NO_PROXY: '' }, interruptAt: 0 },
  'a broken configuration': { config: `{"profiles": {"default": {"client_secret": "${planted.clientSecret}` },
  'a faulty configuration': {
    config: JSON.stringify({
      current: 'default',
      profiles: { default: { client_secret: [planted.clientSecret], token: planted.token } },
    }),
  },
  'a secret as value of an option': { args: [`--client-secret=${planted.clientSecret}`] },
  'a secret in a short option': { args: [`-w${planted.password}`] },
  'a secret as value of a flag': { args: [`--password-stdin=${planted.password}`] },
  'a hash as number': { args: ['--timeout', planted.md5] },
  'a hash as option': { args: [`--${planted.md5}`] },
};

/** The answers if a trouble has none of its own. */
export const usual = { token, call: whole };
