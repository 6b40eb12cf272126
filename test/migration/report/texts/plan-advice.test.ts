import { expect, test } from 'vitest';
import { adviseNext } from '../../../../src/migration/report/texts/advice.ts';
import { summaryWith } from '../report-data.ts';

const command = { words: ['apply', 'p'], rehearsal: [], connection: [], consent: [] };
const findUser = 'tenant-users get --by-external-id ID';
const lookUp =
  'Rerun the same command to look up the 1 action without an answer before you do anything else with them: each may be done already. Look up those without an identifier by hand.';
const goOn = 'Rerun the same command to go on with the 2 actions left. Nothing is done twice.';

test.each([
  ['an action got no answer', { unknown: 1 }, [lookUp]],
  ['actions were not sent', { pending: 2 }, [goOn]],
  ['both', { unknown: 1, pending: 2 }, [lookUp, goOn]],
])(
  'the advice after a plan names what a rerun does, and what only a person can do: %s',
  (_case, more, texts) => {
    const advice = adviseNext(summaryWith({ plan: 'digest', ...more }), command);
    expect(advice.map(({ text }) => text)).toEqual(texts);
    expect(advice.map(({ commands: [first] }) => first)).toEqual(texts.map(() => 'tenant-users apply p'));
    expect(advice.flatMap(({ commands }) => commands).includes(findUser)).toBe('unknown' in more);
  },
);

test('what a corrected file changes of users is planned since the job, and for a shard since the merged one', () => {
  const importing = { ...command, words: ['import-hashes', 'u.csv', '--shard', '1/2'] };
  const found = { job: '/jobs/u s', codes: { VALUES_CHANGED: 2 } };
  const [whole] = adviseNext(summaryWith(found), importing);
  expect(whole?.commands).toEqual([
    "tenant-users plan u.csv --only update --update --key FIELD --since '/jobs/u s'",
  ]);
  const [part] = adviseNext(summaryWith({ ...found, shard: '1/2' }), importing);
  expect(part).toMatchObject({
    commands: [],
    text: expect.stringContaining('First merge the shards: tenant-users import-hashes merge.'),
  });
});
