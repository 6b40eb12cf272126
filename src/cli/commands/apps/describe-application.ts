/** How applications are shown. */
export const appColumns = {
  columns: ['tenant_id', 'client_id', 'name', 'scope', 'created_at', 'former_secret_until'],
  needed: ['client_id', 'name', 'scope', 'former_secret_until', 'tenant_id', 'created_at'],
  whole: ['client_id'],
} as const;

/** How an application is shown together with its new secret. */
export const issuedColumns = {
  columns: ['tenant_id', 'client_id', 'client_secret', 'name', 'scope', 'former_secret_until'],
  single: true,
} as const;

/** Advice about a secret that was printed. */
export const saveSecret = 'Save the secret: it is not shown again';

/** What the audit log says about an application. */
export function recordedApplication({ tenant_id, client_id }: { tenant_id: string; client_id: string }) {
  return { tenant: tenant_id, application: client_id };
}
