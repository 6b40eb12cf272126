import { errors, Pool } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { exchange } from '../../src/client/exchange.ts';
import { ResponseHandler } from '../../src/client/transport/pool.ts';
import { createTimeoutQueue } from '../../src/client/transport/timeouts.ts';
import type { Transport } from '../../src/client/transport/transport.ts';
import { operations } from '../../src/contract/operations.ts';
import { startPeer } from './start-peer.ts';

/**
 * Faults that a test cannot produce in reality, with the codes of Node. The connections of this pool fail with the
 * cause.
 */
async function faultFor(cause: Error) {
  const origin = 'https://tenant.example';
  const pool = new Pool(origin, { connect: (_target, done) => done(cause, null) });
  onTestFinished(() => pool.destroy());
  const transport: Transport = {
    send: (...[{ method, path, headers }, done, failed]) =>
      void pool.dispatch(
        { method, path, headers },
        new ResponseHandler(createTimeoutQueue(1000), done, failed),
      ),
    close: () => pool.destroy(),
  };
  const request = { method: 'POST', path: '/', headers: {} } as const;
  const failure = await exchange({ transport, origin, secrets: [] }, operations.createUser, request, 1).catch(
    (error: unknown) => error,
  );
  const { name, fault, effect } = failure as { name: string; fault: string; effect: string };
  return { name, fault, effect };
}

function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}

test.each([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
])('%s is a TLS fault, and nothing was sent', async (code) => {
  expect(await faultFor(coded(code))).toEqual({ name: 'NetworkError', fault: 'tls', effect: 'none' });
});

test.each(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'])(
  '%s means that the host cannot be reached, and nothing was sent',
  async (code) => {
    expect(await faultFor(coded(code))).toEqual({
      name: 'NetworkError',
      fault: 'unreachable',
      effect: 'none',
    });
  },
);

test.each([coded('ETIMEDOUT'), new errors.ConnectTimeoutError()])(
  '%s means that there was no connection in time, and nothing was sent',
  async (cause) => {
    expect(await faultFor(cause)).toEqual({ name: 'NetworkError', fault: 'timeout', effect: 'none' });
  },
);

test('a port on which nothing listens refuses the connection', async () => {
  const tokenStore = { load: () => ({ access_token: 't', expires_at: Infinity, scope: 'all' }), save() {} };
  const peer = await startPeer();
  const client = peer.connect({ baseUrl: peer.baseUrl.replace(/\d+$/, '1'), tokenStore });
  await expect(client.createUser({})).rejects.toMatchObject({ fault: 'unreachable', effect: 'none' });
});

test('https to a plain HTTP server is a TLS fault', async () => {
  const peer = await startPeer();
  const client = peer.connect({ baseUrl: peer.baseUrl.replace('http:', 'https:') });
  await expect(client.obtainToken()).rejects.toMatchObject({ fault: 'tls', effect: 'none' });
});
