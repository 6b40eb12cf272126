import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A connection on which a test sends what it likes. */
export interface RawConnection {
  socket: Socket;
  /** Everything that came back, once the service has ended the connection. */
  ended: Promise<string>;
}

/** Connects to a service; the connection ends with the test. */
export function openRaw(baseUrl: string): RawConnection {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  const ended = new Promise<string>((resolve) => {
    // A reset is an end as well: the service may close on what it has not read.
    socket.on('error', () => {}).on('close', () => resolve(received));
  });
  return { socket, ended };
}
