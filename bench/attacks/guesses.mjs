import http from 'node:http';
import { median } from '../median.mjs';
import { figure } from '../rows.mjs';
import { openTargets, right } from './targets.mjs';

/** @import { Options } from '../options.mjs' */
/** @import { Answer } from './targets.mjs' */

const perRound = 60;

/**
 * Rounds of 60 parallel guesses at one user, one of them right, at a place that changes, while a slow hash is in use in
 * the same process. However many are sent, five are compared, and the time of an answer must not show the right one.
 * @param {Options} options
 */
export async function* measureGuesses(options) {
  const rounds = 8;
  for (const nodes of options.databases.isPostgres ? [1, 2] : [1]) {
    const targets = await openTargets(options, nodes, '--address-limit', '100000/s', '--audit', 'off');
    await targets.addSlowUser();
    const agent = new http.Agent({ keepAlive: true });
    /** @type {{ compared: number, lateAdmissions: number, rank: number }[]} */
    const results = [];
    for (let round = 0; round < rounds; round += 1) {
      options.say(`attacks: guesses on ${nodes} nodes, round ${round + 1} of ${rounds}`);
      const user = `user-${round}`;
      await targets.addUser(user);
      // Never among the first guesses, which are compared and may succeed.
      const place = 12 + ((round * 37) % (perRound - 12));
      const guesses = Array.from({ length: perRound }, (_, index) =>
        targets.logIn(user, index === place ? right : `wrong-${index}`, { node: index, agent }),
      );
      results.push(judge(await Promise.all(guesses), place));
    }
    agent.destroy();
    await targets.end();
    const where = nodes === 1 ? 'one node' : 'two nodes';
    const worst = (/** @type {'compared' | 'lateAdmissions'} */ of) => [
      Math.max(...results.map((result) => result[of])),
    ];
    yield figure(`of ${perRound} guesses at once, compared, ${where}`, 'guesses', worst('compared'), {
      atMost: 5,
    });
    yield figure('right guess admitted behind the fifth', 'rounds', worst('lateAdmissions'), { atMost: 0 });
    const ranks = results.map(({ rank }) => rank);
    const first = ranks.filter((rank) => rank === 1).length;
    yield figure(
      `rounds of ${rounds} in which the right guess stands out most by its time`,
      'rounds',
      [first],
      { atMost: 1 },
    );
    yield figure(
      `its median rank among ${perRound} by how far its time is from its neighbours'`,
      '',
      [median(ranks)],
      { atLeast: 10 },
    );
  }
}

/**
 * What an attacker learns from a round: the rank of the right guess when all are sorted by how far the time of each is
 * from that of the five before and after it.
 * @param {readonly Answer[]} answers
 * @param {number} place of the right guess
 */
function judge(answers, place) {
  const compared = answers.filter(({ text }) => text.includes('SDK.LOGIN.1005')).length;
  const oddities = answers.map(({ took }, index) => {
    const near = answers
      .slice(Math.max(0, index - 5), index + 6)
      .filter((_, at) => at !== Math.min(index, 5));
    return Math.abs(took - median(near.map((answer) => answer.took)));
  });
  const odd = oddities[place] ?? 0;
  return {
    compared: compared + answers.filter(({ status }) => status === 200).length,
    lateAdmissions: answers[place]?.status === 200 ? 1 : 0,
    rank: 1 + oddities.filter((other) => other > odd).length,
  };
}
