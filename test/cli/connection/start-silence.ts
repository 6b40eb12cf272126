import { type AddressInfo, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** Starts a server for the running test that accepts connections and never sends a byte; returns its address. */
export async function startSilence(onConnection = () => {}): Promise<string> {
  const server = createServer((socket) => {
    onConnection();
    socket.on('error', () => {}).resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
