import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '../find-program.mjs';
import { quietPort } from '../quiet-port.mjs';
import { makeServerDirectory, startForeignServer } from './start-server.mjs';

/** The installed HAProxy; `undefined` if there is none. */
export const haproxy = findProgram('haproxy');

const documented = new URL('../../docs/guide/haproxy.cfg', import.meta.url);

/**
 * Starts the real HAProxy with the configuration of the documentation, in front of nodes on these ports of this
 * machine.
 * @param {readonly number[]} ports as many as the configuration has servers
 */
export async function startHaproxy(ports) {
  const place = makeServerDirectory('haproxy');
  const file = join(place.directory, 'haproxy.cfg');
  const socket = join(place.directory, 'admin.sock');
  const port = await quietPort();
  writeFileSync(file, configure(socket, port, ports));
  const areUp = () =>
    readServers(socket).then(
      (servers) => servers.length === ports.length && servers.every(({ status }) => status === 'UP'),
      () => false,
    );
  const server = await startForeignServer(haproxy ?? 'haproxy', ['-db', '-f', file], place, areUp);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    /** Waits until HAProxy sends requests to every node, as an operator does before restarting the next node. */
    async untilUp() {
      while (!(await areUp())) await sleep(20);
    },
    /** Stops sending requests to a node, and waits until its requests are answered. @param {number} index */
    async drain(index) {
      const name = (await readServers(socket))[index]?.name;
      await tell(socket, `set server nodes/${name} state drain`);
      while ((await readServers(socket))[index]?.requests !== 0) await sleep(20);
    },
    /** Sends requests to a node again, once it is ready. @param {number} index */
    async undrain(index) {
      const name = (await readServers(socket))[index]?.name;
      await tell(socket, `set server nodes/${name} state ready`);
    },
    stop: server.stop,
  };
}

/**
 * @param {string} socket
 * @param {number} port
 * @param {readonly number[]} ports
 */
function configure(socket, port, ports) {
  const addresses = [...ports];
  return readFileSync(documented, 'utf8')
    .replace(/stats socket \S+/, `stats socket ${socket}`)
    .replace(/bind .*/, `bind 127.0.0.1:${port}`)
    .replaceAll(/(server \w+) \S+:\d+/g, (_, name) => `${name} 127.0.0.1:${addresses.shift()}`);
}

/**
 * What HAProxy knows of the nodes: whether each is UP, DOWN or changing, and its number of requests.
 * @param {string} socket
 */
async function readServers(socket) {
  const [names = '', ...lines] = (await tell(socket, 'show stat nodes -1 -1')).trim().split('\n');
  const columns = names.replace('# ', '').split(',');
  const servers = lines.map((line) => {
    const values = line.split(',');
    const value = (/** @type {string} */ name) => values[columns.indexOf(name)] ?? '';
    return { name: value('svname'), status: value('status'), requests: Number(value('scur')) };
  });
  return servers.filter(({ name }) => name !== 'BACKEND');
}

/**
 * @param {string} socket
 * @param {string} command
 */
async function tell(socket, command) {
  const asked = connect(socket);
  await once(asked, 'connect');
  asked.write(`${command}\n`);
  return text(asked);
}
