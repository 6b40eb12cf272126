import type { TenantDefinition } from './definition.ts';

/** A tenant as the service holds it: `key` is what its rows carry. */
export interface Tenant {
  key: number;
  definition: TenantDefinition;
}
