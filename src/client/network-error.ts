import { errors } from 'undici';
import { errorCode } from '../text/error-code.ts';
import { type Effect, NetworkError, type NetworkFault } from './errors.ts';
import { portOf, shownProxy, TunnelError } from './transport/proxy-tunnel.ts';
import { CrossedAnswerError, maxAnswer } from './transport/transport.ts';

/** What happened, and what to do; without a hint, the general remedy of the fault. */
type Reason = readonly [fault: NetworkFault, reason: string, hint?: string];

/**
 * Explains why a request got no answer: the host, the reason, and what to do. `origin` has no path, which might contain a secret
 * (§4.1). `effect` must be `none` if nothing was sent.
 */
export function toNetworkError(origin: string, cause: unknown, effect: Effect = 'none'): NetworkError {
  const [fault, reason, hint] = reasonOf(cause, origin, effect);
  return new NetworkError(fault, `${origin}: ${reason}`, { effect, cause, hint });
}

/** Explains a failed request. Connection errors name the host with its port, even if the address has none. */
function reasonOf(cause: unknown, origin: string, effect: Effect): Reason {
  const code = codeOf(cause);
  if (cause instanceof TunnelError) return proxyReason(cause, origin);
  const host = authorityOf(origin);
  const unreached = unreachable[code];
  if (unreached) return ['unreachable', unreached[0].replace('HOST', host), unreached[1]];
  if (cause instanceof errors.ConnectTimeoutError || code === 'ETIMEDOUT') {
    const hint =
      'A firewall may block it, or a proxy may be required (HTTPS_PROXY); --timeout SECONDS waits longer.';
    return ['timeout', `no connection to ${host} within the time limit`, hint];
  }
  if (cause instanceof errors.HeadersTimeoutError)
    return ['timeout', 'no answer within the time limit', 'Wait longer with --timeout SECONDS.'];
  if (cause instanceof CrossedAnswerError) {
    const reason = 'the answer belongs to another request; a proxy in between mixes answers up';
    return [
      'interrupted',
      reason,
      'Reach the service without the proxy (NO_PROXY), or ask those who run it.',
    ];
  }
  if (cause instanceof errors.ResponseExceededMaxSizeError) {
    const hint =
      'Check the base URL (tenant-users status); for a list of users with large pictures, use a smaller --limit.';
    return ['tooLong', `the answer is longer than ${maxAnswer / 2 ** 20} MiB`, hint];
  }
  const tls = tlsFaults.find(([codes]) => codes.test(code));
  if (tls) return ['tls', `${tls[1]} (${code})`, tls[2]];
  return interrupted(cause, code, origin, effect);
}

function interrupted(cause: unknown, code: string, origin: string, effect: Effect): Reason {
  if (origin.startsWith('https:') && effect === 'none' && code === 'ECONNRESET') {
    const reason = `${authorityOf(origin)} closed the connection during the TLS handshake`;
    const hint = 'Does it speak TLS on this port? A firewall in between may also cut connections.';
    return ['interrupted', reason, hint];
  }
  const why = code || 'no reason given';
  // What an HTTP client sees when the server speaks TLS: an alert instead of an answer, or the end of the connection.
  const isForeign =
    cause instanceof errors.HTTPParserError || code === 'UND_ERR_SOCKET' || code === 'ECONNRESET';
  if (origin.startsWith('http:') && isForeign) {
    const hint = 'If the port uses TLS, the base URL must begin with https://';
    return ['interrupted', `the connection broke off, or is not HTTP (${why})`, hint];
  }
  return ['interrupted', `the connection broke off (${why})`];
}

const noRoute = 'Check the address, the network and the VPN.';

/** Words for what kept a connection from being made, by the code of the system. */
const unreachable: Record<string, readonly [reason: string, hint: string]> = {
  ECONNREFUSED: [
    'the connection to HOST was refused',
    'Check that the service is running there, and the port.',
  ],
  ENOTFOUND: [
    'the host name of HOST is not known',
    'Check the spelling, and whether a VPN or a proxy (HTTPS_PROXY) is needed to reach it.',
  ],
  EAI_AGAIN: [
    'the host name of HOST could not be looked up',
    'The name server does not answer: check the network and the VPN.',
  ],
  EHOSTUNREACH: ['there is no route to HOST', noRoute],
  ENETUNREACH: ['the network of HOST is unreachable', noRoute],
  EADDRNOTAVAIL: ['the network of HOST is unreachable', noRoute],
};

function proxyReason({ proxy, status, cause }: TunnelError, origin: string): Reason {
  const shown = `the proxy ${shownProxy(proxy)}`;
  const target = authorityOf(origin);
  const instead = `To reach the host without the proxy, list it in NO_PROXY.`;
  if (status === undefined) {
    const [found, reason, hint = ''] = reasonOf(cause, proxy.origin, 'none');
    const fault = found === 'interrupted' ? 'unreachable' : found;
    return [fault, `${shown} cannot be used: ${reason}`, `${hint} ${instead}`.trim()];
  }
  const refused = `${shown} refused ${target} (${status})`;
  if (status === 407) {
    const why =
      proxy.username || proxy.password
        ? 'it does not accept the name and password of its address'
        : 'it requires a name and a password';
    const hint =
      'Put them into the variable of the proxy: http://NAME:PASSWORD@HOST:PORT, special characters percent-encoded.';
    return ['proxy', `${refused}: ${why}`, hint];
  }
  if (status >= 500)
    return [
      'unreachable',
      `${refused}: it could not reach the host`,
      `Check the host name, and the proxy. ${instead}`,
    ];
  return [
    'proxy',
    `${refused}: it does not allow this host or port`,
    `Ask those who run the proxy. ${instead}`,
  ];
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

/** Words for what is wrong with TLS, by codes of Node and OpenSSL; the first row that matches counts. */
const tlsFaults: readonly (readonly [codes: RegExp, reason: string, hint: string])[] = [
  [
    /^(?:UNABLE_TO_(?:GET_ISSUER_CERT(?:_LOCALLY)?|VERIFY_LEAF_SIGNATURE)|CERT_UNTRUSTED|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)$/,
    'its TLS certificate was issued by an authority that this machine does not trust',
    'If a private authority or a TLS-inspecting proxy issued it, name its certificate (PEM) in NODE_EXTRA_CA_CERTS; otherwise somebody may be listening in.',
  ],
  [
    /^CERT_HAS_EXPIRED$/,
    'its TLS certificate has expired',
    'Check the clock of this machine; if it is correct, the certificate must be renewed where the service runs.',
  ],
  [/^CERT_NOT_YET_VALID$/, 'its TLS certificate is not valid yet', 'Check the clock of this machine.'],
  [
    /^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    'its TLS certificate is for another host name',
    'Use the host name of the certificate in the base URL; a proxy or DNS may also point to another host.',
  ],
  [
    /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/,
    'the port does not use TLS',
    'Check the port. A service without TLS needs http://, which is allowed on loopback only.',
  ],
  [
    /^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/,
    'the TLS handshake failed',
    'The host refuses the TLS versions or ciphers offered (TLS 1.2 and 1.3), or wants a certificate of the client.',
  ],
  [/CERT|SIGN|CRL|^INVALID_|_CA$/, 'its TLS certificate is not accepted', 'Ask those who run the service.'],
];
