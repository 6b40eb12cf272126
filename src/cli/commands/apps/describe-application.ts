import type { IssuedApplication } from '../../../contract/administration.ts';
import type { CommandContext } from '../../context/context.ts';
import { showRecord } from '../../output/show.ts';

/** How applications are shown. */
export const appColumns = {
  columns: ['tenant_id', 'client_id', 'name', 'scope', 'created_at', 'former_secret_until'],
  needed: ['client_id', 'name', 'scope', 'former_secret_until', 'tenant_id', 'created_at'],
  whole: ['client_id'],
} as const;

/** Prints an application together with its new secret. */
export function showIssued(context: CommandContext, issued: IssuedApplication): Promise<void> {
  const { client_id, former_secret_until: until } = issued;
  const lost =
    until === null ? 'The secret is lost.' : `The secret is lost; the old one is valid until ${until}.`;
  const next = `${lost} To replace it: tenant-users apps rotate-secret ${client_id} --lost`;
  context.noteChange({ done: `given application ${client_id} a new secret`, next });
  const columns = ['tenant_id', 'client_id', 'client_secret', 'name', 'scope', 'former_secret_until'];
  return showRecord(context, issued, columns);
}

/** Advice about a secret that was printed. */
export const saveSecret = 'Save the secret: it is not shown again';

/** What the audit log says about an application. */
export function recordedApplication({ tenant_id, client_id }: { tenant_id: string; client_id: string }) {
  return { tenant: tenant_id, application: client_id };
}
