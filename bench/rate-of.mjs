/** @import { BarePool, Request } from './bare-pool.mjs' */

/**
 * Keeps a number of requests in flight for some seconds; resolves to the answers a second, up to the last one. Rejects
 * if an answer is wrong.
 * @template Answer
 * @param {BarePool} pool
 * @param {{ atOnce: number, seconds: number }} load
 * @param {() => { request: Request, isRight: (answer: Answer) => boolean }} next
 * @returns {Promise<number>}
 */
export function rateOf(pool, { atOnce, seconds }, next) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const end = began + seconds * 1000;
    let [answered, underWay] = [0, 0];
    const go = () => {
      const { request, isRight } = next();
      underWay += 1;
      pool.send(request, (failure, answer) => {
        underWay -= 1;
        if (failure || !isRight(/** @type {Answer} */ (answer))) {
          reject(failure ?? new Error(`${request.path} got the wrong answer: ${JSON.stringify(answer)}`));
          return;
        }
        answered += 1;
        const now = performance.now();
        if (now < end) go();
        else if (underWay === 0) resolve((answered / (now - began)) * 1000);
      });
    };
    for (let index = 0; index < atOnce; index += 1) go();
  });
}
