import { definitionOf, type TenantDefinition } from './definition.ts';

/** A file without `extension` defines no extension attributes; the built-in tenant has two to try them out. */
const builtIn = {
  extension: {
    age: { display_name: 'Age', pattern: '^\\d{1,3}$' },
    joined_on: { display_name: 'Joined on', type: 'date' },
  },
};

/** The tenant of a service that is given no other: nothing is required, and the limits are those of the contract. */
export const defaultTenant: TenantDefinition = definitionOf(JSON.stringify(builtIn));
