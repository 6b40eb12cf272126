import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigurationError, UsageError } from '../errors/errors.ts';
import { reasonOf } from '../errors/system-fault.ts';

/**
 * Reads a certificate chain and its private key, both PEM; `undefined` if neither is given. Throws a `UsageError` if
 * one is missing, and a `ConfigurationError` that names the file if one is invalid.
 */
export function readTls(certFile?: string, keyFile?: string): { cert: string; key: string } | undefined {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) {
    const missing = certFile === undefined ? '--tls-cert' : '--tls-key';
    throw new UsageError(`${missing} is missing`, 'Use --tls-cert and --tls-key together.');
  }
  const cert = read(certFile, '--tls-cert');
  const key = read(keyFile, '--tls-key');
  const certificate = parse(() => new X509Certificate(cert), certFile, 'PEM certificate', '--tls-cert');
  const privateKey = parse(
    () => privateKeyOf(key),
    keyFile,
    'PEM private key without a password',
    '--tls-key',
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    const message = `${keyFile} is not the key of the certificate ${certFile}`;
    throw new ConfigurationError(message, 'Use the key of the certificate with --tls-key.');
  }
  return { cert, key };
}

function read(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const message = `${file} cannot be read: ${reasonOf(cause)}`;
    throw new ConfigurationError(message, `Use a readable file with ${option}.`);
  }
}

/** The empty passphrase prevents OpenSSL from prompting for one on the terminal. */
function privateKeyOf(key: string): KeyObject {
  return createPrivateKey({ key, passphrase: '' });
}

/** Parses a file. Replaces the library's error message, which comes from OpenSSL and helps nobody. */
function parse<Parsed>(make: () => Parsed, file: string, what: string, option: string): Parsed {
  try {
    return make();
  } catch {
    throw new ConfigurationError(`${file} is not a ${what}`, `Use another file with ${option}.`);
  }
}
