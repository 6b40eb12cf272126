import { expect, test } from 'vitest';
import { startAgent } from '../mcp/start-agent.ts';
import { givenFiles, writeGiven } from './given-files.ts';
import { tracesIn } from './secrets.ts';

test.each([[], ['--with-values']])('no tool reveals a secret %j', async (...options) => {
  const { root, call } = await startAgent(...options);
  await writeGiven(root);
  const answers: unknown[] = [];
  for (const file of Object.keys(givenFiles())) {
    answers.push(await call('assess', { file }));
    answers.push(await call('plan', { file, to: `${file}.plan` }));
    answers.push(await call('compare', { file, to: `${file}.compared` }));
    answers.push(await call('forecast', { file }));
    answers.push(await call('assess', { file: 'good.csv', recipe: file }));
  }
  expect(answers.length).toBeGreaterThan(70);
  expect(tracesIn(JSON.stringify(answers))).toEqual([]);
});
