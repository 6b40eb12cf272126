import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { isRecord } from '../../contract/is-record.ts';

/**
 * A connection over two streams that ends when its input has ended and every request is answered: then `finished` resolves. The
 * transport of the SDK closes with its input, drops the answers to requests that a script sent just before, and does not answer a
 * line that is no message.
 */
export function answeringTransport(stdin: NodeJS.ReadableStream, stdout: NodeJS.WritableStream) {
  const open = new Set<unknown>();
  let start = () => {};
  let look = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const write = (message: object) =>
    new Promise<void>((resolve, reject) =>
      stdout.write(`${JSON.stringify(message)}\n`, (failure) => (failure ? reject(failure) : resolve())),
    );
  const outer: Transport = {
    async start() {
      start();
    },
    async send(message) {
      await write(message);
      if (!('method' in message) && 'id' in message) open.delete(message.id);
      look();
    },
    async close() {
      outer.onclose?.();
    },
  };
  function receive(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) open.add(message.id);
    if ('method' in message && message.method === 'notifications/cancelled') {
      open.delete((message.params as { requestId?: unknown } | undefined)?.requestId);
      look();
    }
    outer.onmessage?.(message);
  }
  async function readToEnd(): Promise<void> {
    for await (const line of linesOf(stdin)) {
      if (line.trim() === '') continue;
      const read = readLine(line);
      if ('message' in read) receive(read.message);
      else await write(read.fault);
    }
    await new Promise<void>((resolve) => {
      look = () => open.size === 0 && resolve();
      look();
    });
  }
  return Object.assign(outer, { finished: started.then(readToEnd) });
}

/** The lines of a stream, also a last one without an end. A message may contain all other separators of lines. */
async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  // Joined only at the end of the line: a long one has many parts.
  let line: string[] = [];
  for await (const part of stream) {
    const [rest = '', ...lines] = decoder.decode(Buffer.from(part), { stream: true }).split('\n');
    line.push(rest);
    for (const next of lines) {
      yield line.join('');
      line = [next];
    }
  }
  yield line.join('');
}

/** Returns the message of a line, or the answer to a line that is none: it has the id of the request if that can be seen. */
function readLine(line: string): { message: JSONRPCMessage } | { fault: object } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { fault: faultOf(null, ProtocolErrorCode.ParseError, 'the line is not JSON') };
  }
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    const id = isRecord(value) && ['string', 'number'].includes(typeof value.id) ? value.id : null;
    return {
      fault: faultOf(id, ProtocolErrorCode.InvalidRequest, 'the line is not a message of JSON-RPC 2.0'),
    };
  }
}

function faultOf(id: unknown, code: ProtocolErrorCode, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
