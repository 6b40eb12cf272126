import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type EndpointName, endpoints, operationOf } from '../../../src/contract/operations.ts';
import { apiDocument } from '../../../src/service/openapi/api-document.ts';

type Content = { content: { 'application/json': { schema: object } } };

interface Described {
  requestBody?: Content;
  responses: Record<string, Content>;
}

/** The parts of a reply that the description covers. */
interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

const document = apiDocument();
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ $id: 'api:', components: document.components });
const compiled = new Map<object, ValidateFunction>();

/**
 * What is wrong with a reply of an operation by the description of the API; `[]` if nothing is. A status or a media
 * type that is not described is wrong, too.
 */
export function replyFaults(name: EndpointName, { status, headers, body }: Reply): unknown[] {
  const answer = described(name)?.responses[status];
  if (!answer) return [`${name} ${status} is not described`];
  const type = String(headers['content-type']);
  if (!type.startsWith('application/json')) return [`${name} ${status} has the content type ${type}`];
  return valueFaults(name, answer, body);
}

/** What is wrong with a request body of an operation by the description of the API. */
export function bodyFaults(name: EndpointName, body: unknown): unknown[] {
  const taken = described(name)?.requestBody;
  return taken ? valueFaults(name, taken, body) : [`${name} takes no body`];
}

function described(name: EndpointName): Described | undefined {
  const { method, url } = endpoints[name];
  const item = document.paths[url.replace(/:(\w+)/g, '{$1}')] as Record<string, Described>;
  return item[method.toLowerCase()];
}

function valueFaults(name: EndpointName, { content }: Content, value: unknown): unknown[] {
  const validate = compile(content['application/json'].schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => [name, instancePath, message]);
}

/** The same by method and path of a request; the reply to a path that is no operation is always right. */
export function requestFaults(method: string, path: string, reply: Reply): unknown[] {
  const found = operationOf(method, path);
  return found ? replyFaults(found.name, reply) : [];
}

function compile(schema: object): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const made = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api:#/')));
  compiled.set(schema, made);
  return made;
}
