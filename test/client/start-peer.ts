import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../../src/client/client.ts';
import { operations } from '../../src/contract/operations.ts';
import { testClock } from '../clocks.ts';
import { application } from '../test-service.ts';
import type { AtEnd } from '../world.ts';

/** A request as the server received it. */
export interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What the server does with a request. */
export type Answer = (received: Received, response: ServerResponse) => void;

/** An HTTP server that answers as the test says. */
export interface Peer {
  baseUrl: string;
  /** Requests to the token endpoint. */
  tokenCalls: Received[];
  /** All other requests. */
  calls: Received[];
  connect(options?: Partial<ClientOptions>): Client;
}

/** An answer that every operation accepts. */
export const anyAnswer = {
  user_id: 'u-1',
  users: [],
  status: 'SUCCESS',
  sso_ticket: 'ssoTicket-1',
  disabled: false,
  user_name: '',
  usr_auth_times: '0',
};

/** Answers a call with `anyAnswer`, about the user whom its address names if there is one. */
export const accept: Answer = (received, response) => {
  const [, id = ''] = /\/users\/([^/?]+)(?:\/disable)?$/.exec(received.url) ?? [];
  const isUser = received.method !== 'POST' && id !== '';
  json(200, isUser ? { ...anyAnswer, user_id: decodeURIComponent(id) } : anyAnswer)(received, response);
};

/**
 * Starts a server, by default for the running test. It gives out `token-1`, `token-2`, … and answers calls with
 * `anyAnswer`.
 */
export async function startPeer(
  answers: { token?: Answer; call?: Answer } = {},
  atEnd: AtEnd = onTestFinished,
): Promise<Peer> {
  const tokenCalls: Received[] = [];
  const calls: Received[] = [];
  const call = answers.call ?? accept;
  const token = answers.token ?? ((received, response) => tokenAnswer(tokenCalls.length)(received, response));
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const received = { method, url, headers, body: await text(request) };
    const isToken = url.includes(operations.obtainToken.url);
    (isToken ? tokenCalls : calls).push(received);
    (isToken ? token : call)(received, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    tokenCalls,
    calls,
    connect(options = {}) {
      const { client_id: clientId, client_secret: clientSecret } = application;
      const client = createClient({ baseUrl, clientId, clientSecret, clock: testClock, ...options });
      onTestFinished(() => client.close());
      return client;
    },
  };
}

/** Answers with a status and a JSON body. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (_received, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** Answers a token call with `token-<number>`, which expires after 1800 seconds by default. */
export function tokenAnswer(number: number, expires_in = 1800): Answer {
  const rest = { token_type: 'bearer', scope: 'all', id_token: 'a.b.c' };
  return json(200, { access_token: `token-${number}`, expires_in, ...rest });
}

/** Rejects every bearer token except those given. */
export function acceptOnly(...tokens: string[]): Answer {
  const refuse = json(400, { error: 'invalid_token', error_description: 'Invalid access' });
  return (received, response) => {
    const token = received.headers.authorization?.replace('Bearer ', '') ?? '';
    (tokens.includes(token) ? accept : refuse)(received, response);
  };
}
