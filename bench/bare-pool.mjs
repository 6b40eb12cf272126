import { Pool } from 'undici';

/** @typedef {{ method: 'GET' | 'POST' | 'PUT', path: string, headers?: Record<string, string>, body?: string | null }} Request */
/** @typedef {ReturnType<typeof openBarePool>} BarePool */

const json = { 'content-type': 'application/json; charset=utf-8' };

/**
 * The least work of a client: dispatches requests to undici's pool and parses the JSON of the answers.
 * @param {string} baseUrl
 * @param {number} connections
 */
export function openBarePool(baseUrl, connections) {
  const pool = new Pool(baseUrl, { connections });
  let authorization = 'Bearer bench';

  /**
   * Calls back once: with the answer, or with a failure if the status is not 200 (or the expected one).
   * @param {Request} request
   * @param {(failure: Error | undefined, answer?: unknown) => void} told
   * @param {number} [expected]
   */
  function send(request, told, expected = 200) {
    /** @type {Buffer[]} */
    const chunks = [];
    let status = 0;
    const headers = { ...json, authorization, ...request.headers };
    pool.dispatch(
      { ...request, headers },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd() {
          const text = Buffer.concat(chunks).toString();
          if (status === expected) told(undefined, JSON.parse(text));
          else told(new Error(`${request.path} was answered with ${status}: ${text}`));
        },
        onResponseError: (_controller, error) => told(error),
      },
    );
  }

  /**
   * @param {Request} request
   * @param {number} [expected] status
   * @returns {Promise<any>}
   */
  function ask(request, expected) {
    return new Promise((resolve, reject) => {
      send(request, (failure, answer) => (failure ? reject(failure) : resolve(answer)), expected);
    });
  }

  return {
    send,
    ask,
    /** Obtains a token for the requests that follow. @param {import('./processes.mjs').Application} [application] */
    async logIn({ client_id, client_secret = 'bench' } = { client_id: 'bench' }) {
      const query = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
      const { access_token } = await ask({ method: 'POST', path: `/api/v2/tenant/token?${query}` });
      authorization = `Bearer ${access_token}`;
    },
    close: () => pool.close(),
  };
}
