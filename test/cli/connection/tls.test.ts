import { expect, test } from 'vitest';
import { startWorld } from '../../world.ts';
import { credentials, runProgram } from '../process/start-program.ts';
import { startSilence } from './start-silence.ts';
import { authority, type Certificate, startTlsService } from './start-tls-service.ts';

test.each<[Certificate, string, string, string]>([
  ['tenant-expired', 'has expired', 'CERT_HAS_EXPIRED', 'Check the clock'],
  ['tenant-early', 'is not valid yet', 'CERT_NOT_YET_VALID', 'Check the clock'],
  ['tenant-other-name', 'is for another host name', 'ERR_TLS_CERT_ALTNAME_INVALID', 'base URL'],
])('the error about %s says that the certificate %s', async (certificate, reason, code, hint) => {
  const { port } = await startTlsService(certificate);
  const url = `https://127.0.0.1:${port}`;
  const env = { ...credentials, NODE_EXTRA_CA_CERTS: authority };
  const { exitCode, stdout, stderr } = await runProgram(['list', '--base-url', url, '--json'], env);
  expect({ exitCode, stdout }).toEqual({ exitCode: 9, stdout: '' });
  const { error } = JSON.parse(stderr);
  expect(error.message).toBe(`${url}: its TLS certificate ${reason} (${code})`);
  expect(error.hint).toContain(hint);
  expect(error.retryable).toBe(false);
});

test('the errors differ for https to a port without TLS and http to a port with TLS', async () => {
  const { baseUrl, runWith } = await startWorld();
  const toPlain = baseUrl.replace('http:', 'https:');
  const plain = await runWith({ env: credentials }, 'list', '--base-url', toPlain);
  expect(plain).toMatchObject({ exitCode: 9, stdout: '' });
  expect(plain.stderr).toContain(`${toPlain}: the port does not use TLS`);
  const { port } = await startTlsService();
  const toTls = await runWith({ env: credentials }, 'list', '--base-url', `http://127.0.0.1:${port}`);
  expect(toTls).toMatchObject({ exitCode: 9, stdout: '' });
  expect(toTls.stderr).toContain('If the port uses TLS, the base URL must begin with https://');
});

test('a handshake that is never answered ends at the time limit, and the error names host and port', async () => {
  const { runWith } = await startWorld();
  const url = (await startSilence()).replace('http:', 'https:');
  const args = ['create', '--user-name', 'ann', '--base-url', url, '--timeout', '0.05'];
  const { exitCode, stderr } = await runWith({ env: credentials }, ...args);
  expect(exitCode).toBe(9);
  expect(stderr).toContain(`no connection to ${new URL(url).host} within the time limit`);
  expect(stderr).toContain('--timeout');
});
