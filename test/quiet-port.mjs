import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A free loopback port that no other process is given. Systems give out the ports from 32,768 on, so such a port may
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
