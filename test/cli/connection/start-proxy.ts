import type { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { RequestError, Server } from 'proxy-chain';
import { onTestFinished } from 'vitest';

/** A proxy on the loopback address. It resolves all hosts of `.test` to this machine; nothing else knows them. */
export interface TestProxy {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** The same with the credentials that it requires. */
  urlWithCredentials: string;
  /** `HOST:PORT` of every requested connection. */
  asked: string[];
}

/** The credentials that the proxy requires, if it does. The password has characters that a URL must encode. */
export const proxyCredentials = { username: 'proxy-user', password: 'planted/proxy%pass word-3' };

/** Starts a proxy for the running test; with `refuse` it answers every request with that status. */
export async function startProxy(manner: { credentials?: true; refuse?: number } = {}): Promise<TestProxy> {
  const asked: string[] = [];
  const server = new Server({
    host: '127.0.0.1',
    port: 0,
    prepareRequestFunction({ hostname, port, username, password }) {
      asked.push(`${hostname}:${port}`);
      if (manner.refuse) throw new RequestError('no', manner.refuse);
      const known = username === proxyCredentials.username && password === proxyCredentials.password;
      return {
        requestAuthentication: manner.credentials === true && !known,
        dnsLookup: toThisMachine as typeof lookup,
      };
    },
  });
  await server.listen();
  onTestFinished(() => server.close(true));
  const { username, password } = proxyCredentials;
  const authority = `127.0.0.1:${server.port}`;
  return {
    url: `http://${authority}`,
    urlWithCredentials: `http://${username}:${encodeURIComponent(password)}@${authority}`,
    asked,
  };
}

const toThisMachine: LookupFunction = (_hostname, options, done) =>
  options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
