/** @import { BarePool, Request } from './bare-pool.mjs' */

/**
 * Keeps so many requests on the wire for so many seconds; resolves to the answers in a second, up to the last one. Rejects
 * when one is not the right one.
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
