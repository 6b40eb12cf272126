import type { AuditTarget } from '../../../service/audit/audit-log.ts';
import type { RunningService } from '../../../service/open-service.ts';
import { shownDatabase } from '../../../text/database-location.ts';
import type { CommandContext } from '../../context/context.ts';
import { toJson } from '../../output/formats/json.ts';
import { formatOf, linesFor, write } from '../../output/show.ts';

/**
 * Prints where the service listens, and the credentials that it has just made. Rejects if a secret among them cannot be written; a
 * service without a new secret needs no reader.
 */
export async function announce(
  context: CommandContext,
  service: RunningService,
  { database, audit }: { database: string; audit: AuditTarget | undefined },
): Promise<void> {
  const tenants = service.tenants.map(({ tenantId, clientId, clientSecret }) => ({
    tenant_id: tenantId,
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
  }));
  const hasSecret = tenants.some(({ client_secret }) => client_secret !== undefined);
  const print = (text: string) => (hasSecret ? writeWhole(context, text) : write(context.stdout, text));
  const metricsAt = service.metricsUrl === undefined ? {} : { metrics_url: service.metricsUrl };
  if (formatOf(context) === 'json') {
    await print(`${toJson({ base_url: service.baseUrl, ...metricsAt, tenants })}\n`);
  } else {
    const lines = [
      `Serving on ${service.baseUrl}, database ${shownDatabase(database)}`,
      ...Object.values(metricsAt).map((url) => `Metrics: ${url}`),
      ...(audit ? [`Audit log: ${'file' in audit ? audit.file : 'stderr'}`] : []),
      ...tenants.flatMap(describeTenant),
    ];
    await print(`${linesFor(context, lines.join('\n'), 'stdout')}\n`);
  }
}

/** Waits until the text was written, because nobody can read the secret in it again. */
function writeWhole({ stdout }: CommandContext, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(text, (fault) => (fault ? reject(fault) : resolve()));
  });
}

function describeTenant(tenant: { tenant_id: string; client_id: string; client_secret?: string }): string[] {
  const { tenant_id, client_id, client_secret: secret } = tenant;
  const secretLines =
    secret === undefined ? [] : [`  client secret: ${secret}`, '  Save it: it is not shown again.'];
  return [`Tenant ${tenant_id}`, `  client id: ${client_id}`, ...secretLines];
}
