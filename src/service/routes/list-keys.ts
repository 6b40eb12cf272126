import type { FastifyInstance } from 'fastify';
import { companions } from '../../contract/operations.ts';
import type { ServiceContext } from '../context/context.ts';

/** Companion: the public key of the id tokens as a JWK set (decision 5). */
export function listKeys(app: FastifyInstance, context: ServiceContext): void {
  app.route({ ...companions.listKeys, handler: () => Promise.resolve(context.keys.publicKeys()) });
}
