import helmet from '@fastify/helmet';
import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { type FastifyInstance, fastify } from 'fastify';
import { apiDocument } from './api-document.ts';

/**
 * Opens the page that shows the API below a path. Everything it loads comes from the service itself, and its content security
 * policy lets a browser load nothing else.
 */
export async function openApiPage(path: string): Promise<FastifyInstance> {
  const app = fastify();
  const document = apiDocument() as StaticDocumentSpec['document'];
  await app.register(swagger, { mode: 'static', specification: { document } });
  await app.register(swaggerUi, {
    routePrefix: path,
    theme: { title: 'Tenant user API' },
    // Without the bar for loading another description.
    uiConfig: { layout: 'BaseLayout', deepLinking: true, displayRequestDuration: true, validatorUrl: null },
  });
  const { script } = app.swaggerCSP;
  await app.register(helmet, {
    // It is not known here whether callers reach the service over TLS.
    strictTransportSecurity: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        connectSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        scriptSrc: ["'self'", ...script],
        // Swagger UI uses inline styles.
        styleSrc: ["'self'", "'unsafe-inline'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
  });
  await app.ready();
  return app;
}
