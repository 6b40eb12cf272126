import { definitionOf, type TenantDefinition } from './definition.ts';

/** A file that leaves `extension` out has no extension attributes; the built-in tenant has two, to try them with. */
const builtIn = {
  extension: {
    age: { display_name: 'Age', pattern: '^\\d{1,3}$' },
    joined_on: { display_name: 'Joined on', type: 'date' },
  },
};

/** The tenant a service has when it is given no other: nothing is required, the limits are those of the contract. */
export const defaultTenant: TenantDefinition = definitionOf(JSON.stringify(builtIn));
