import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A free port of loopback that nobody else is given: systems hand out those from 32,768 on, so that a port of that kind may
 * belong to another test as soon as its service is closed.
 */
export async function quietPort() {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
