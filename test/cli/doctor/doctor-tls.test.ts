import { expect, test } from 'vitest';
import { proxyCredentials, startProxy } from '../connection/start-proxy.ts';
import { authority, type Certificate, startTlsService } from '../connection/start-tls-service.ts';
import { runProgram } from '../process/start-program.ts';

async function examine(env: Record<string, string>) {
  const { exitCode, stdout, stderr } = await runProgram(['doctor', '--json', '--verbose'], env);
  const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; message: string }[] };
  const by = (name: string) => {
    const found = checks.find((check) => check.name === name);
    return `${found?.status}: ${found?.message}`;
  };
  return { exitCode, by, everything: stdout + stderr };
}

test('the built program checks a tenant behind a proxy and a private authority', async () => {
  const { env, port } = await startTlsService();
  const proxy = await startProxy({ credentials: true });
  const through = { ...env, https_proxy: proxy.urlWithCredentials };
  const { exitCode, by, everything } = await examine({ ...through, NODE_EXTRA_CA_CERTS: authority });
  expect(exitCode).toBe(0);
  expect(by('proxy')).toBe(`ok: ${proxy.url}, from https_proxy`);
  expect(by('connection')).toMatch(new RegExp(`^ok: tenant\\.test:${port} connected in \\d+ ms$`));
  expect(by('TLS')).toMatch(
    /^ok: TLSv1\.[23], certificate issued by TEST ONLY private authority, valid until .* GMT, \d+ days left$/,
  );
  expect(by('extra certificates')).toMatch(/contains 1 certificate$/);
  expect(by('users')).toBe('ok: the tenant has 0 users');
  expect(everything).toContain('https_proxy=http://[hidden]@127.0.0.1');
  expect(everything).not.toContain(proxyCredentials.username);
  expect(everything).not.toMatch(/planted|test-secret/);

  const untrusting = await examine(through);
  expect(untrusting.exitCode).toBe(9);
  expect(untrusting.by('TLS')).toMatch(
    /^failed: .*an authority that this machine does not trust .*issued by TEST ONLY private/,
  );
  expect(untrusting.by('service')).toMatch(/^skipped/);

  const refused = await examine({ ...env, https_proxy: proxy.url });
  expect(refused.exitCode).toBe(9);
  expect(refused.by('connection')).toMatch(/^failed: .*\(407\)/);
});

test.each<[Certificate, RegExp]>([
  ['tenant-expired', /^failed: .*has expired \(CERT_HAS_EXPIRED\).*-\d+ days left$/],
  ['tenant-early', /^failed: .*not valid yet.*, valid from Jan {2}1 00:00:00 2099 GMT until Jan {2}1/],
  ['tenant-other-name', /^failed: .*is for another host name/],
])('doctor names the problem of %s and the issuer of the certificate', async (certificate, expected) => {
  const { env, port } = await startTlsService(certificate);
  const direct = {
    ...env,
    TENANT_USERS_BASE_URL: `https://localhost:${port}`,
    NODE_EXTRA_CA_CERTS: authority,
  };
  const { exitCode, by } = await examine(direct);
  expect(exitCode).toBe(9);
  expect(by('TLS')).toMatch(expected);
  expect(by('TLS')).toContain('TEST ONLY private authority');
});

test('no environment variable switches the verification of certificates off', async () => {
  const { port, env } = await startTlsService();
  const lax = {
    ...env,
    TENANT_USERS_BASE_URL: `https://localhost:${port}`,
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  };
  expect((await runProgram(['list'], lax)).exitCode).toBe(9);
  const { exitCode, by } = await examine(lax);
  expect({ exitCode, environment: by('environment') }).toMatchObject({
    exitCode: 9,
    environment: expect.stringMatching(/^warning: .*NODE_TLS_REJECT_UNAUTHORIZED=0/),
  });
});
