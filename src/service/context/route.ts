import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceContext } from './context.ts';

/** The parts of a request that depend on its route; `user_id` is set if the path of the endpoint has it. */
export interface RouteParts {
  Params: { user_id: string };
  Querystring: Record<string, string | string[] | undefined>;
}

/** A request of an endpoint. */
export type ApiRequest = FastifyRequest<RouteParts>;

/** Answers the requests of an endpoint with a value that becomes JSON, or with JSON. Throws API errors. */
export type ApiRoute<Answer> = (
  context: ServiceContext,
  request: ApiRequest,
  reply: FastifyReply,
) => Promise<Answer>;

/** A hook that either rejects a request or lets it pass. */
export type Guard = (request: FastifyRequest, reply: FastifyReply, done: (failure?: Error) => void) => void;
