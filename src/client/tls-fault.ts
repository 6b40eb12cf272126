/** What is wrong with a TLS connection, and what to do about it. */
export interface TlsFault {
  reason: string;
  hint: string;
}

const ask = 'Ask those who run the service.';

const kinds = {
  issuer: {
    reason: 'its TLS certificate was issued by nobody whom this machine trusts',
    hint: 'If a private authority or a TLS-inspecting proxy issued it, name its certificate (PEM) in NODE_EXTRA_CA_CERTS; otherwise somebody may be listening in.',
  },
  expired: {
    reason: 'its TLS certificate has expired',
    hint: 'Check the clock of this machine; if it is right, the certificate must be renewed where the service runs.',
  },
  early: {
    reason: 'its TLS certificate is not valid yet',
    hint: 'Check the clock of this machine.',
  },
  name: {
    reason: 'its TLS certificate is for another host name',
    hint: 'Use the name that the certificate is for in the base URL; a proxy or DNS may also lead to another host.',
  },
  plain: {
    reason: 'no TLS is spoken there',
    hint: 'Is it the right port? A service without TLS is reached with http://, on loopback only.',
  },
  handshake: {
    reason: 'no TLS connection could be agreed on',
    hint: 'The host refuses the TLS versions or ciphers offered (TLS 1.2 and 1.3), or wants a certificate of the client.',
  },
  other: { reason: 'its TLS certificate is not accepted', hint: ask },
} as const satisfies Record<string, TlsFault>;

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

/** Names a fault of TLS by its code, as Node and OpenSSL give them; `undefined` for a code of something else. */
export function tlsFaultOf(code: string): TlsFault | undefined {
  const kind = kindOf[code] ?? (/^ERR_(SSL|TLS)_/.test(code) ? 'handshake' : undefined);
  if (!kind && !/CERT|SIGN|CRL|^INVALID_|_CA$/.test(code)) return undefined;
  const { reason, hint } = kinds[kind ?? 'other'];
  return { reason: `${reason} (${code})`, hint };
}
