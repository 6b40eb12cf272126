import { errors } from 'undici';
import { errorCode } from '../text/error-code.ts';
import { type Effect, NetworkError, type NetworkFault } from './errors.ts';
import { portOf, shownProxy, TunnelError } from './proxy-tunnel.ts';
import { CrossedAnswerError, maxAnswer } from './transport.ts';

interface Reason {
  fault: NetworkFault;
  reason: string;
  hint?: string;
}

/**
 * Explains why a request got no answer: the host, the reason, and what to do. `origin` has no path, which might contain a secret
 * (§4.1). `effect` must be `none` if nothing was sent.
 */
export function toNetworkError(origin: string, cause: unknown, effect: Effect = 'none'): NetworkError {
  const { fault, reason, hint } = reasonOf(cause, origin, effect);
  return new NetworkError(fault, `${origin}: ${reason}`, { effect, cause, hint });
}

/** Explains a failed request. Connection errors name the host with its port, even if the address has none. */
function reasonOf(cause: unknown, origin: string, effect: Effect): Reason {
  const code = codeOf(cause);
  if (cause instanceof TunnelError) return proxyReason(cause, origin);
  const unreached = unreachable(code, authorityOf(origin));
  if (unreached) return { fault: 'unreachable', ...unreached };
  if (cause instanceof errors.ConnectTimeoutError || code === 'ETIMEDOUT') {
    return {
      fault: 'timeout',
      reason: `no connection to ${authorityOf(origin)} within the time limit`,
      hint: 'A firewall may block it, or a proxy may be required (HTTPS_PROXY); --timeout SECONDS waits longer.',
    };
  }
  if (cause instanceof errors.HeadersTimeoutError) {
    return {
      fault: 'timeout',
      reason: 'no answer within the time limit',
      hint: 'Wait longer with --timeout SECONDS.',
    };
  }
  if (cause instanceof CrossedAnswerError) {
    return {
      fault: 'interrupted',
      reason: 'the answer belongs to another request; a proxy in between mixes answers up',
      hint: 'Reach the service without the proxy (NO_PROXY), or ask those who run it.',
    };
  }
  if (cause instanceof errors.ResponseExceededMaxSizeError) {
    return {
      fault: 'tooLong',
      reason: `the answer is longer than ${maxAnswer / 2 ** 20} MiB`,
      hint: 'Check the base URL (tenant-users status); for a list of users with large pictures, use a smaller --limit.',
    };
  }
  const tls = tlsFaultOf(code);
  if (tls) return { fault: 'tls', ...tls };
  return interrupted(cause, code, origin, effect);
}

function interrupted(cause: unknown, code: string, origin: string, effect: Effect): Reason {
  if (origin.startsWith('https:') && effect === 'none' && code === 'ECONNRESET') {
    const reason = `${authorityOf(origin)} closed the connection during the TLS handshake`;
    const hint = 'Does it speak TLS on this port? A firewall in between may also cut connections.';
    return { fault: 'interrupted', reason, hint };
  }
  const why = code || 'no reason given';
  if (origin.startsWith('http:') && isForeign(cause, code)) {
    const hint = 'If the port uses TLS, the base URL must begin with https://';
    return { fault: 'interrupted', reason: `the connection broke off, or is not HTTP (${why})`, hint };
  }
  return { fault: 'interrupted', reason: `the connection broke off (${why})` };
}

/** True for what an HTTP client sees when the server speaks TLS: an alert instead of an answer, or the end of the connection. */
function isForeign(cause: unknown, code: string): boolean {
  return cause instanceof errors.HTTPParserError || code === 'UND_ERR_SOCKET' || code === 'ECONNRESET';
}

const noRoute = 'Check the address, the network and the VPN.';

function unreachable(code: string, host: string): Omit<Reason, 'fault'> | undefined {
  const reasons: Record<string, Omit<Reason, 'fault'>> = {
    ECONNREFUSED: {
      reason: `the connection to ${host} was refused`,
      hint: 'Check that the service is running there, and the port.',
    },
    ENOTFOUND: {
      reason: `the host name of ${host} is not known`,
      hint: 'Check the spelling, and whether a VPN or a proxy (HTTPS_PROXY) is needed to reach it.',
    },
    EAI_AGAIN: {
      reason: `the host name of ${host} could not be looked up`,
      hint: 'The name server does not answer: check the network and the VPN.',
    },
    EHOSTUNREACH: { reason: `there is no route to ${host}`, hint: noRoute },
    ENETUNREACH: { reason: `the network of ${host} is unreachable`, hint: noRoute },
    EADDRNOTAVAIL: { reason: `the network of ${host} is unreachable`, hint: noRoute },
  };
  return reasons[code];
}

function proxyReason({ proxy, status, cause }: TunnelError, origin: string): Reason {
  const shown = `the proxy ${shownProxy(proxy)}`;
  const target = authorityOf(origin);
  const instead = `To reach the host without the proxy, list it in NO_PROXY.`;
  if (status === undefined) {
    const { fault, reason, hint } = reasonOf(cause, proxy.origin, 'none');
    return {
      fault: fault === 'interrupted' ? 'unreachable' : fault,
      reason: `${shown} cannot be used: ${reason}`,
      hint: `${hint ?? ''} ${instead}`.trim(),
    };
  }
  if (status === 407) {
    const given = proxy.username || proxy.password;
    return {
      fault: 'proxy',
      reason: `${shown} refused ${target} (407): ${given ? 'it does not accept the name and password of its address' : 'it requires a name and a password'}`,
      hint: 'Put them into the variable of the proxy: http://NAME:PASSWORD@HOST:PORT, special characters percent-encoded.',
    };
  }
  if (status >= 500) {
    const reason = `${shown} refused ${target} (${status}): it could not reach the host`;
    return { fault: 'unreachable', reason, hint: `Check the host name, and the proxy. ${instead}` };
  }
  const reason = `${shown} refused ${target} (${status}): it does not allow this host or port`;
  return { fault: 'proxy', reason, hint: `Ask those who run the proxy. ${instead}` };
}

function authorityOf(origin: string): string {
  const url = new URL(origin);
  return `${url.hostname}:${portOf(url)}`;
}

/** Returns the code of a Node error, or of the first error if several addresses were tried. */
function codeOf(cause: unknown): string {
  const first = cause instanceof AggregateError ? cause.errors[0] : undefined;
  return errorCode(cause) ?? errorCode(first) ?? '';
}

const ask = 'Ask those who run the service.';

const kinds = {
  issuer: {
    reason: 'its TLS certificate was issued by an authority that this machine does not trust',
    hint: 'If a private authority or a TLS-inspecting proxy issued it, name its certificate (PEM) in NODE_EXTRA_CA_CERTS; otherwise somebody may be listening in.',
  },
  expired: {
    reason: 'its TLS certificate has expired',
    hint: 'Check the clock of this machine; if it is correct, the certificate must be renewed where the service runs.',
  },
  early: {
    reason: 'its TLS certificate is not valid yet',
    hint: 'Check the clock of this machine.',
  },
  name: {
    reason: 'its TLS certificate is for another host name',
    hint: 'Use the host name of the certificate in the base URL; a proxy or DNS may also point to another host.',
  },
  plain: {
    reason: 'the port does not use TLS',
    hint: 'Check the port. A service without TLS needs http://, which is allowed on loopback only.',
  },
  handshake: {
    reason: 'the TLS handshake failed',
    hint: 'The host refuses the TLS versions or ciphers offered (TLS 1.2 and 1.3), or wants a certificate of the client.',
  },
  other: { reason: 'its TLS certificate is not accepted', hint: ask },
} as const satisfies Record<string, Omit<Reason, 'fault'>>;

const issuerUnknown = [
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_UNTRUSTED',
];
const notTls = ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_HTTP_REQUEST'];

const kindOf: Record<string, keyof typeof kinds> = {
  ...Object.fromEntries(issuerUnknown.map((code) => [code, 'issuer'] as const)),
  ...Object.fromEntries(notTls.map((code) => [code, 'plain'] as const)),
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'early',
  ERR_TLS_CERT_ALTNAME_INVALID: 'name',
  HOSTNAME_MISMATCH: 'name',
  EPROTO: 'handshake',
};

/** Explains a TLS error by its code from Node or OpenSSL; `undefined` for any other code. */
function tlsFaultOf(code: string): Omit<Reason, 'fault'> | undefined {
  const kind = kindOf[code] ?? (/^ERR_(SSL|TLS)_/.test(code) ? 'handshake' : undefined);
  if (!kind && !/CERT|SIGN|CRL|^INVALID_|_CA$/.test(code)) return undefined;
  const { reason, hint } = kinds[kind ?? 'other'];
  return { reason: `${reason} (${code})`, hint };
}
