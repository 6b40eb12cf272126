import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { CommandContext } from '../context/context.ts';
import { ConfigurationError, UsageError } from '../errors/errors.ts';
import { warn } from '../output/show.ts';
import { readFileNow } from './read-input.ts';

/**
 * Reads a certificate chain and its private key, both PEM; `undefined` if neither is given. Throws a `UsageError` if
 * one is missing, and a `ConfigurationError` that names the file if one is invalid. Warns of a certificate that is out of its time.
 */
export function readTls(context: CommandContext, certFile?: string, keyFile?: string) {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) {
    const missing = certFile === undefined ? '--tls-cert' : '--tls-key';
    throw new UsageError(`${missing} is missing`, 'Use --tls-cert and --tls-key together.');
  }
  const cert = readFileNow(certFile, 'Use a readable file with --tls-cert.');
  const key = readFileNow(keyFile, 'Use a readable file with --tls-key.');
  const certificate = parse(() => new X509Certificate(cert), certFile, 'PEM certificate', '--tls-cert');
  const privateKey = parse(
    // Without a passphrase, OpenSSL would prompt for one on the terminal.
    () => createPrivateKey({ key, passphrase: '' }),
    keyFile,
    'PEM private key without a password',
    '--tls-key',
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    const message = `${keyFile} is not the key of the certificate ${certFile}`;
    throw new ConfigurationError(message, 'Use the key of the certificate with --tls-key.');
  }
  const fault = timeFault(certificate, context.now());
  if (fault !== undefined)
    warn(
      context,
      `The certificate ${certFile} ${fault}, so clients reject it. Replace it and restart serve.`,
    );
  return { cert, key };
}

function timeFault({ validFrom, validTo }: X509Certificate, now: number): string | undefined {
  const [from, to] = [new Date(validFrom), new Date(validTo)];
  if (to.getTime() < now) return `expired at ${to.toISOString()}`;
  return from.getTime() > now ? `is not valid before ${from.toISOString()}` : undefined;
}

/** Parses a file. Replaces the library's error message, which comes from OpenSSL and helps nobody. */
function parse<Parsed>(make: () => Parsed, file: string, what: string, option: string): Parsed {
  try {
    return make();
  } catch {
    throw new ConfigurationError(`${file} is not a ${what}`, `Use another file with ${option}.`);
  }
}
