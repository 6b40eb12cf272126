import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A connection on which a test sends any bytes. */
export interface RawConnection {
  socket: Socket;
  /** Everything that came back, once the service has ended the connection. */
  ended: Promise<string>;
}

/** Connects to a service; the connection ends with the running test. */
export function openRaw(baseUrl: string): RawConnection {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  const ended = new Promise<string>((resolve) => {
    // A reset counts as an end, too: the service may close a connection that has unread bytes.
    socket.on('error', () => {}).on('close', () => resolve(received));
  });
  return { socket, ended };
}
