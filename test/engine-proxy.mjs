import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engines, followTransactions, randomNumbers } from './engines.mjs';

/** @import { Socket } from 'node:net' */
/** @import { Engine, EngineName } from './engines.mjs' */

/** Only connections of the service have the limits of the engine; those of tests and benches are passed through. */
const ours = 'tenant-users';
const sslRequest = 80_877_103;
const cancelRequest = 80_877_102;
/** A socket has the number of the port in its name. */
const socketName = '.s.PGSQL.5432';

/**
 * A server between the service and a PostgreSQL that behaves as an engine does: it refuses what the engine refuses, and
 * lets transactions fail with 40001. `options` replace properties of the engine, such as its share of these (`races`).
 * @param {string} url of the PostgreSQL; its host is the directory of a socket
 * @param {EngineName} name
 * @param {Partial<Engine>} [options]
 */
export async function startEngine(url, name, options = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'tu-engine-'));
  const upstream = join(decodeURIComponent(new URL(url).hostname), socketName);
  /** @type {Engine} */
  const engine = { ...engines[name], ...options };
  const random = randomNumbers(1);
  /** @type {Set<Socket>} */
  const open = new Set();
  const injected = { races: 0 };
  /** @param {Socket} socket @param {Socket} other */
  function endTogether(socket, other) {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      open.delete(socket);
      other.end();
    });
  }
  const server = createServer((client) => {
    const postgres = connect(upstream);
    endTogether(client, postgres);
    endTogether(postgres, client);
    forward(client, postgres, engine, () => {
      const isRace = random() < engine.races;
      if (isRace) injected.races += 1;
      return isRace;
    });
  });
  server.listen(join(directory, socketName));
  await once(server, 'listening');
  return {
    /** @param {string} location an address of the PostgreSQL */
    through: (location) => location.replace(/@[^/]*\//, `@${encodeURIComponent(directory)}/`),
    injected,
    stop() {
      for (const socket of open) socket.destroy();
      server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * @param {Socket} client
 * @param {Socket} postgres
 * @param {Engine} engine
 * @param {() => boolean} isRace
 */
function forward(client, postgres, engine, isRace) {
  /** @type {Buffer} */
  let start = Buffer.alloc(0);
  /** @type {((data: Buffer) => void) | undefined} */
  let speak;
  client.on('data', (data) => {
    if (speak) return speak(data);
    start = Buffer.concat([start, data]);
    if (start.length < 8 || start.length < start.readInt32BE(0)) return undefined;
    const code = start.readInt32BE(4);
    if (code === sslRequest) {
      start = Buffer.alloc(0);
      client.write('N');
      return undefined;
    }
    const parameters = code === cancelRequest ? {} : parametersOf(start.subarray(8));
    const isOurs = parameters.application_name === ours;
    const unknown = Object.keys(parameters).find((name) => !startParameters.includes(name));
    if (isOurs && !engine.startup && unknown !== undefined) {
      client.end(failure('08P01', `unsupported startup parameter: ${unknown}`));
      return undefined;
    }
    postgres.write(start);
    speak = isOurs ? speakAs(engine, isRace, postgres) : (bytes) => void postgres.write(bytes);
    postgres.on('data', isOurs && !engine.named ? hideProcess(client) : (bytes) => client.write(bytes));
    return undefined;
  });
}

const startParameters = ['user', 'database', 'application_name', 'client_encoding'];

/** @param {Buffer} bytes names and values, each ended by a zero */
function parametersOf(bytes) {
  const words = bytes.toString().split('\0');
  /** @type {Record<string, string>} */
  const parameters = {};
  for (let at = 0; words[at]; at += 2) parameters[words[at] ?? ''] = words[at + 1] ?? '';
  return parameters;
}

/**
 * Reads messages of a type, a length and a content from a stream.
 * @param {(type: string, message: Buffer) => void} take
 */
function readMessages(take) {
  /** @type {Buffer} */
  let pending = Buffer.alloc(0);
  return (/** @type {Buffer} */ data) => {
    pending = pending.length === 0 ? data : Buffer.concat([pending, data]);
    while (pending.length >= 5 && pending.length > pending.readInt32BE(1)) {
      const message = pending.subarray(0, pending.readInt32BE(1) + 1);
      pending = pending.subarray(message.length);
      take(String.fromCharCode(message[0] ?? 0), message);
    }
  };
}

/**
 * Sends the messages of the service in units: a query, or messages up to a Sync. A refused unit is replaced by one that
 * fails, so that answers keep their order.
 * @param {Engine} engine
 * @param {() => boolean} isRace
 * @param {Socket} postgres
 */
function speakAs(engine, isRace, postgres) {
  const transactions = followTransactions(engine);
  /** @type {Map<string, string>} */
  const prepared = new Map();
  /** Where the open transaction will fail. @type {'first statement' | 'commit' | undefined} */
  let fails;

  /** @param {string} sql */
  function isRaceNow(sql) {
    const wasOpen = transactions.wasOpen();
    const isOpen = transactions.isOpen();
    if (/^ROLLBACK/i.test(sql)) return false;
    if (!wasOpen && isOpen) {
      fails = isRace() ? (sides++ % 2 ? 'commit' : 'first statement') : undefined;
      return false;
    }
    if (!wasOpen) return isRace();
    const isNow = fails === (isOpen ? 'first statement' : 'commit');
    if (isNow) fails = undefined;
    return isNow;
  }
  let sides = 0;

  /** @type {Buffer[]} */
  let unit = [];
  let text = '';
  /** @type {Buffer | undefined} */
  let parse;
  return readMessages((type, message) => {
    unit.push(message);
    const words = () => message.toString('utf8', 5).split('\0');
    if (type === 'P') {
      const [name = '', sql = ''] = words();
      prepared.set(name, sql);
      parse = message;
      text = name === '' || engine.named ? sql : `PREPARE ${name}`;
    }
    if (type === 'B' && !parse) text = prepared.get(words()[1] ?? '') ?? '';
    if (type === 'Q') [text = ''] = words();
    if (!'QSX'.includes(type)) return;
    const refusal = transactions.refusal(text);
    const sql = refusal ? raise('0A000', refusal) : isRaceNow(text) ? raise('40001', 'a race') : undefined;
    if (sql === undefined || type === 'X') postgres.write(Buffer.concat(unit));
    else if (type === 'Q') postgres.write(messageOf('Q', `${sql}\0`));
    else postgres.write(Buffer.concat([...(parse ? [parse] : []), ...executionOf(sql)]));
    unit = [];
    text = '';
    parse = undefined;
  });
}

/**
 * SQL that raises an error.
 * @param {string} code
 * @param {string} reason
 */
function raise(code, reason) {
  return `DO $raise$ BEGIN RAISE USING ERRCODE = '${code}', MESSAGE = '${reason.replaceAll("'", "''")}'; END $raise$`;
}

/**
 * Parse, Bind, Execute and Sync of a statement without a name.
 * @param {string} sql
 */
function executionOf(sql) {
  const none = Buffer.alloc(8);
  return [
    messageOf('P', `\0${sql}\0`, none.subarray(0, 2)),
    messageOf('B', '\0\0', none.subarray(0, 6)),
    messageOf('E', '\0', none.subarray(0, 4)),
    messageOf('S', ''),
  ];
}

/**
 * @param {string} type
 * @param {string} text
 * @param {Buffer} [rest]
 */
function messageOf(type, text, rest = Buffer.alloc(0)) {
  const content = Buffer.concat([Buffer.from(text), rest]);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

/**
 * The answer that ends a connection.
 * @param {string} code
 * @param {string} reason
 */
function failure(code, reason) {
  return messageOf('E', `SFATAL\0VFATAL\0C${code}\0M${reason}\0\0`);
}

/**
 * Passes on what the server sends, with another process number, as a pooler does.
 * @param {Socket} client
 */
function hideProcess(client) {
  return readMessages((type, message) => {
    if (type === 'K') message.writeInt32BE((message.readInt32BE(5) + 1) & 0x7fffffff, 5);
    client.write(message);
  });
}
