import { STATUS_CODES } from 'node:http';
import { apiError } from '../errors/api-error.ts';
import type { Ending } from './fault.ts';

/** Where an answer of the script seems to come from: the API, or a gateway before it. */
export type Speaker = 'json' | 'html';

type Answer = Omit<Extract<Ending, { kind: 'answer' }>, 'kind' | 'afterCommit' | 'headers'> & {
  contentType: string;
};

const speakers: Record<Speaker, (status: number) => Answer> = {
  json: (status) => ({
    status,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(apiError(status === 429 ? 'rateLimited' : 'systemBusy').body),
  }),
  html: (status) => ({ status, contentType: 'text/html', body: page(titleOf(status)) }),
};

/** The answer of a failing API (§7.1 with a code of decision 9), or the page of a gateway. */
export function readyAnswer(
  status: number,
  speaker: Speaker,
  { afterCommit = false, retryAfter }: { afterCommit?: boolean; retryAfter?: string | undefined } = {},
): Ending {
  const { contentType, body } = speakers[speaker](status);
  const wait = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return { kind: 'answer', afterCommit, status, headers: { 'content-type': contentType, ...wait }, body };
}

/** 200 comes from a page that stands in for the API, such as one for signing in to a network. */
function titleOf(status: number): string {
  return status === 200 ? 'Sign in' : `${status} ${STATUS_CODES[status]}`;
}

function page(title: string): string {
  return `<html>\n<head><title>${title}</title></head>\n<body><center><h1>${title}</h1></center></body>\n</html>\n`;
}
