import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { companions, type Operation, operations } from '../../../src/contract/operations.ts';
import { apiDocument } from '../../../src/service/openapi/api-document.ts';

interface Described {
  responses: Record<string, { content: { 'application/json': { schema: object } } }>;
}

/** The parts of a reply that the description covers. */
interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

interface Shape {
  method: string;
  /** Matches the paths of the operation, without the query. */
  pattern: RegExp;
  responses: Described['responses'];
}

const document = apiDocument();
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ $id: 'api:', components: document.components });
const compiled = new Map<object, ValidateFunction>();

const table: [string, Operation][] = Object.entries({ ...operations, ...companions });
const shapes = new Map(
  table.map(([name, { method, url }]): [string, Shape] => {
    const item = document.paths[url.replace(/:(\w+)/g, '{$1}')] as Record<string, Described>;
    const { responses } = item[method.toLowerCase()] ?? { responses: {} };
    return [name, { method, pattern: new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`), responses }];
  }),
);

/**
 * What is wrong with a reply of an operation by the description of the API; `[]` if nothing is. A status or a media
 * type that is not described is wrong, too.
 */
export function replyFaults(name: string, { status, headers, body }: Reply): unknown[] {
  const answer = shapes.get(name)?.responses[status];
  if (!answer) return [`${name} ${status} is not described`];
  const type = String(headers['content-type']);
  if (!type.startsWith('application/json')) return [`${name} ${status} has the content type ${type}`];
  const validate = compile(answer.content['application/json'].schema);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => [name, instancePath, message]);
}

/** The same by method and path of a request; the reply to a path that is no operation is always right. */
export function requestFaults(method: string, path: string, reply: Reply): unknown[] {
  const bare = path.split('?')[0] ?? '';
  for (const [name, shape] of shapes) {
    if (shape.method === method && shape.pattern.test(bare)) return replyFaults(name, reply);
  }
  return [];
}

function compile(schema: object): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const made = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api:#/')));
  compiled.set(schema, made);
  return made;
}
