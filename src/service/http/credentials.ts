import type { FastifyRequest } from 'fastify';

/** What a token call gives as its credentials, checked or not (decision 1). */
export function credentialsOf(request: FastifyRequest): Record<string, string | undefined> {
  const { body } = request;
  const form = body instanceof URLSearchParams ? Object.fromEntries(body) : {};
  const given = { ...basicOf(request), ...form, ...(request.query as object) } as Record<string, unknown>;
  const texts = ['grant_type', 'client_id', 'client_secret'].map((name) => [name, textOf(given[name])]);
  return Object.fromEntries(texts) as Record<string, string | undefined>;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function basicOf(request: FastifyRequest): Record<string, string> {
  const encoded = /^Basic +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const pair = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8'));
  return pair ? { client_id: pair[1] ?? '', client_secret: pair[2] ?? '' } : {};
}

/** Who signs an id token: the address at which the caller reached the service. */
export function issuerOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}
