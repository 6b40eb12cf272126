import { Ajv2020 } from 'ajv/dist/2020.js';
import { companions, type Operation, operations } from '../../../src/contract/operations.ts';
import { apiDocument } from '../../../src/service/openapi/api-document.ts';

interface Described {
  responses: Record<string, { content: { 'application/json': { schema: object } } }>;
}

/** A reply as far as the description speaks of it. */
interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

/**
 * Makes a check of replies against the description of the API: it returns what is wrong, `[]` where nothing is.
 * An operation, a status or a media type that is not described is wrong, too.
 */
export function replyValidator() {
  const document = apiDocument();
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'api:', components: document.components });
  const table: Record<string, Operation> = { ...operations, ...companions };

  return (name: string, { status, headers, body }: Reply): unknown[] => {
    const operation = table[name];
    const path = operation?.url.replace(/:(\w+)/g, '{$1}') ?? '';
    const item = document.paths[path] as Record<string, Described> | undefined;
    const answer = item?.[operation?.method.toLowerCase() ?? '']?.responses[status];
    if (!answer) return [`${name} ${status} is not described`];
    const type = String(headers['content-type']);
    if (!type.startsWith('application/json')) return [`${name} ${status} has the content type ${type}`];
    const schema = JSON.stringify(answer.content['application/json'].schema).replaceAll('"#/', '"api:#/');
    const validate = ajv.compile(JSON.parse(schema));
    return validate(body)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => [name, instancePath, message]);
  };
}
