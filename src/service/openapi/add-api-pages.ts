import type { FastifyInstance } from 'fastify';
import { jsonType } from '../http/body.ts';
import { servicePages } from '../http/endpoints.ts';

/**
 * Adds `/openapi.json` and `/docs`: the description of the API and a page that shows it. Both are loaded at the first request, to
 * keep the start fast. The page is a separate Fastify application with its own headers.
 */
export function addApiPages(app: FastifyInstance): void {
  const { apiDocument: document, apiPage: page } = servicePages;
  let opened: Promise<FastifyInstance> | undefined;
  // Made once: it takes some milliseconds, and anybody may request it.
  let described: Promise<string> | undefined;
  app.route({
    ...document,
    async handler(_request, reply) {
      described ??= import('./api-document.ts').then(({ apiDocument }) => JSON.stringify(apiDocument()));
      reply.type(jsonType);
      return described;
    },
  });
  for (const url of [page.url, `${page.url}/*`]) {
    app.route({
      ...page,
      url,
      async handler(request, reply) {
        opened ??= import('./api-page.ts').then(({ openApiPage }) => openApiPage(page.url));
        const { routing } = await opened;
        reply.hijack();
        routing(request.raw, reply.raw);
      },
    });
  }
  app.addHook('onClose', async () => (await opened)?.close());
}
