import type { ServerResponse } from 'node:http';
import type { User } from '../../src/contract/wire.ts';
import { json, type Peer, type Received, startPeer } from './start-peer.ts';

/** A page that is requested from a service whose users may change at any time. */
export interface Asked {
  offset: number;
  limit: number;
  received: Received;
  response: ServerResponse;
  /** Answers with the page of the present users, or with something else. */
  answer(body?: unknown, status?: number, headers?: Record<string, string>): void;
}

/** A user as a list shows it, made from its number. */
export function listedUser(number: number, more: Partial<User> = {}): User {
  const [user_id, user_name] = [`id-${number}`, `user${number}`];
  const times = { created_at: '2026-01-01 00:00:00', updated_at: '2026-01-01 00:00:00' };
  return { user_id, user_name, ...times, disabled: false, usr_auth_times: '0', ...more };
}

/** The given number of users, from number 0. */
export function listedUsers(count: number): User[] {
  return Array.from({ length: count }, (_, number) => listedUser(number));
}

/** A service that lists `users`; `onPage` sees each request, may change the users, and must answer. */
export function startListing(
  users: User[],
  onPage: (asked: Asked) => void = ({ answer }) => answer(),
): Promise<Peer> {
  return startPeer({
    call(received, response) {
      const query = new URL(received.url, 'http://peer').searchParams;
      const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
      const page = () => ({ total: users.length, users: users.slice(offset * limit, (offset + 1) * limit) });
      const answer: Asked['answer'] = (body, status = 200, headers = {}) =>
        json(status, body ?? page(), headers)(received, response);
      onPage({ offset, limit, received, response, answer });
    },
  });
}
