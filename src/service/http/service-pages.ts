/** What the service answers beside the API, without a bearer. */
export const servicePages = {
  health: { method: 'GET', url: '/healthz' },
  readiness: { method: 'GET', url: '/readyz' },
  metrics: { method: 'GET', url: '/metrics' },
  apiDocument: { method: 'GET', url: '/openapi.json' },
  apiPage: { method: 'GET', url: '/docs' },
} as const satisfies Record<string, { method: 'GET'; url: string }>;
