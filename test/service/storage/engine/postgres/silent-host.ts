import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A socket has the number of the port in its name. */
const socketName = '.s.PGSQL.5432';

/** A host in front of a PostgreSQL, which can fall silent as after a power failure: nothing is answered, nothing is closed. */
export interface SilentHost {
  /** The address with this host before its own ones. */
  location: string;
  fallSilent(): void;
}

/** Starts a host in front of the server of an address; it ends with the running test. */
export async function startSilentHost(url: string): Promise<SilentHost> {
  const directory = mkdtempSync(join(tmpdir(), 'tu-silent-'));
  const upstream = join(decodeURIComponent(new URL(url).hostname), socketName);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const keep = (socket: Socket, other?: Socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.on('data', (data) => isSilent || other?.write(data));
    socket.on('close', () => isSilent || other?.destroy());
  };
  const server = createServer((client) => {
    const postgres = isSilent ? undefined : connect(upstream);
    keep(client, postgres);
    if (postgres) keep(postgres, client);
  });
  server.listen(join(directory, socketName));
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    location: url.replace('@', `@${encodeURIComponent(directory)},`),
    fallSilent() {
      isSilent = true;
    },
  };
}
