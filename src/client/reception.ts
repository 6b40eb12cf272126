import { type Dispatcher, errors } from 'undici';
import type { Deadlines, Timed } from './deadlines.ts';
import type { Broken, Reply } from './transport.ts';

/**
 * Takes in the answer of one request within its deadline. A class for its price alone: imports make one for every row, and a
 * stream for each answer, or an object of closures, costs a tenth of the whole request.
 */
export class Reception implements Dispatcher.DispatchHandler, Timed {
  deadline = 0;
  earlier: Timed | undefined = undefined;
  later: Timed | undefined = undefined;
  readonly #deadlines: Deadlines;
  readonly #done: (reply: Reply) => void;
  readonly #failed: (broken: Broken) => void;
  #sending: Dispatcher.DispatchController | undefined = undefined;
  #status = 0;
  #headers: Reply['headers'] = {};
  #first: Buffer | undefined = undefined;
  #rest: Buffer[] | undefined = undefined;

  constructor(deadlines: Deadlines, done: (reply: Reply) => void, failed: (broken: Broken) => void) {
    this.#deadlines = deadlines;
    this.#done = done;
    this.#failed = failed;
  }

  expire(): void {
    this.#sending?.abort(new errors.HeadersTimeoutError());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#sending = controller;
    // undici may start a request again that nobody has seen.
    this.#deadlines.end(this);
    this.#deadlines.begin(this);
  }

  onResponseStart(_controller: unknown, status: number, headers: Reply['headers']): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (!this.#first) this.#first = chunk;
    else if (this.#rest) this.#rest.push(chunk);
    else this.#rest = [chunk];
  }

  onResponseEnd(): void {
    this.#deadlines.end(this);
    const first = this.#first ?? Buffer.alloc(0);
    const body = this.#rest ? Buffer.concat([first, ...this.#rest]) : first;
    const text = body.toString('utf8').replace(/^\uFEFF/, '');
    this.#done({ status: this.#status, headers: this.#headers, text, bytes: body.length });
  }

  onResponseError(_controller: unknown, cause: Error): void {
    this.#deadlines.end(this);
    this.#failed({ cause, sent: this.#sending !== undefined });
  }
}
