import { expect, test } from 'vitest';
import { routeTo } from '../../../src/cli/config/proxy.ts';

const proxy = 'http://proxy.test:3128';

/** The host of the proxy for an address; `undefined` for none. */
function hostOf(url: string, env: Record<string, string>) {
  return routeTo(url, env).proxy?.address.host;
}

test.each([
  [{ HTTPS_PROXY: proxy }, 'proxy.test:3128'],
  [{ https_proxy: proxy }, 'proxy.test:3128'],
  [{ https_proxy: 'http://small.test:1', HTTPS_PROXY: proxy }, 'small.test:1'],
  [{ https_proxy: '', HTTPS_PROXY: proxy }, undefined],
  [{ ALL_PROXY: proxy }, 'proxy.test:3128'],
  [{ all_proxy: 'http://small.test:1', HTTPS_PROXY: proxy }, 'proxy.test:3128'],
  [{ HTTPS_PROXY: 'proxy.test:3128' }, 'proxy.test:3128'],
  [{ HTTPS_PROXY: 'https://proxy.test' }, 'proxy.test'],
  [{ HTTP_PROXY: proxy }, undefined],
  [{}, undefined],
])('https with %j uses the proxy %s', (env, expected) => {
  expect(hostOf('https://id.example.com', env)).toBe(expected);
});

test.each([
  ['id.example.com', true],
  ['ID.EXAMPLE.COM', true],
  ['example.com', true],
  ['.example.com', true],
  ['*.example.com', true],
  ['other.test example.com', true],
  ['example.com:443', true],
  ['*', true],
  ['example.com:8443', false],
  ['ample.com', false],
  ['other.test', false],
  ['', false],
])('NO_PROXY=%s exempts id.example.com: %s', (list, exempt) => {
  for (const name of ['NO_PROXY', 'no_proxy']) {
    const route = routeTo('https://id.example.com', { HTTPS_PROXY: proxy, [name]: list });
    expect(route.proxy === undefined).toBe(exempt);
    expect(route.bypass).toBe(exempt ? name : undefined);
  }
});

test('IPv6 addresses are exempt with and without brackets', () => {
  for (const list of ['2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:443']) {
    expect(hostOf('https://[2001:db8::1]', { HTTPS_PROXY: proxy, NO_PROXY: list }), list).toBeUndefined();
  }
});

test('requests to a loopback address never use a proxy on another machine', () => {
  for (const url of ['http://127.0.0.1:8080', 'http://localhost:8080', 'https://[::1]:8443']) {
    const env = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
    expect(hostOf(url, env)).toBeUndefined();
    expect(
      hostOf(url, { HTTP_PROXY: 'http://localhost:3128', HTTPS_PROXY: 'http://127.0.0.1:3128' }),
    ).toBeDefined();
  }
});

test.each([
  ['http://', 'is not a valid URL'],
  ['http://[', 'is not a valid URL'],
  ['socks5://proxy.test:1080', 'uses socks5'],
])('the proxy %s is refused, and the error does not repeat it', (value, reason) => {
  const go = () => routeTo('https://id.example.com', { HTTPS_PROXY: value });
  expect(go).toThrow(reason);
  expect(go).toThrow('HTTPS_PROXY');
});
