import type { FastifyInstance } from 'fastify';
import { jsonType } from '../http/body.ts';
import { servicePages } from '../http/endpoints.ts';

/**
 * `/openapi.json` and `/docs`: the description of the API and a page that shows it. Both are loaded at the first request,
 * so that a start does not pay for them; the page is a service of its own, whose headers are those of a page.
 */
export function addApiPages(app: FastifyInstance): void {
  const { apiDocument: document, apiPage: page } = servicePages;
  let opened: Promise<FastifyInstance> | undefined;
  // Made once: it takes some milliseconds, and anybody may ask for it.
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
      method: page.method,
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
