import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readFaultScript } from '../../../src/service/fault-injection/read-script.ts';
import { issueLines } from '../../../src/service/json/issue.ts';
import { scriptOf } from './script-of.ts';

function faultsOf(json: string): string[] {
  const reading = readFaultScript(json);
  return 'issues' in reading ? issueLines(reading.issues) : [];
}

const withAction = (action: unknown) => JSON.stringify({ faults: [{ operation: '*', do: action }] });
const withWhen = (when: unknown) =>
  JSON.stringify({ faults: [{ operation: '*', when, do: { reset: 'after_commit' } }] });

test.each([
  ['{', /^line 1, column 2: expected more, but the file ends/],
  ['[]', /^must be an object, not \[\]$/],
  ['{}', /^faults: is missing$/],
  ['{"faults":[]}', /^faults: must not be empty$/],
  ['{"faults":[5]}', /^faults\[0\]: must be an object, not 5$/],
  ['{"faults":[{"operation":"*"}]}', /^faults\[0\]\.do: is missing$/],
  [
    '{"faults":[{"operation":"createUsers","do":{"html":true}}]}',
    /^faults\[0\]\.operation: must be one of \*, obtainToken, .*did you mean createUser\?\)$/,
  ],
  ['{"faults":[{"operation":["*",1],"do":{"html":true}}]}', /^faults\[0\]\.operation\[1\]: must be one of /],
  [withWhen({ nth: 0 }), /^faults\[0\]\.when\.nth: must be a whole number from 1 to /],
  [withWhen({ nth: [1, 'x'] }), /^faults\[0\]\.when\.nth\[1\]: must be a whole number/],
  [withWhen({ every: 1.5 }), /^faults\[0\]\.when\.every: must be a whole number/],
  [withWhen({ from: 5, to: 4 }), /^faults\[0\]\.when: must not end \(to\) before it begins \(from\)$/],
  [withWhen({ probability: 2 }), /^faults\[0\]\.when\.probability: must be a number from 0 to 1, not 2$/],
  [withWhen({ nht: 3 }), /^faults\[0\]\.when\.nht: unknown key \(did you mean nth\?\)$/],
  [withWhen({ weather: 3 }), /^faults\[0\]\.when\.weather: unknown key; available: nth, every, /],
  [withWhen(null), /^faults\[0\]\.when: must be an object, not null$/],
  [withAction({}), /^faults\[0\]\.do: must have exactly one of latency_ms, status, reset, /],
  [withAction({ html: true, reset: 'after_commit' }), /^faults\[0\]\.do: must have exactly one of /],
  [withAction({ html: false }), /^faults\[0\]\.do\.html: must be true, not false$/],
  [withAction({ status: 418 }), /^faults\[0\]\.do\.status: must be one of 429, 500, /],
  [withAction({ status: 429, after_commit: true }), /^faults\[0\]\.do: cannot be 429 after the commit/],
  [
    withAction({ status: 502, retry_after: 1 }),
    /^faults\[0\]\.do: has a retry_after, which goes with 429 and 503/,
  ],
  [withAction({ status: 429, retry_after: 'soon' }), /^faults\[0\]\.do\.retry_after: must be a whole number/],
  [withAction({ status: 429, retry_after: {} }), /^faults\[0\]\.do\.retry_after\.date_in: is missing$/],
  [
    withAction({ reset: true }),
    /^faults\[0\]\.do\.reset: must be one of before_commit, after_commit, not true$/,
  ],
  [withAction({ latency_ms: [5, 1] }), /^faults\[0\]\.do\.latency_ms: must be a number, or two of them/],
  [withAction({ latency_ms: -1 }), /^faults\[0\]\.do\.latency_ms: must be a whole number from 0 to /],
  [
    withAction({ hidden_rate_limit: {} }),
    /^faults\[0\]\.do\.hidden_rate_limit: needs per_second or schedule$/,
  ],
  [
    withAction({
      hidden_rate_limit: {
        schedule: [
          { after_s: 5, per_second: 1 },
          { after_s: 5, per_second: 2 },
        ],
      },
    }),
    /^faults\[0\]\.do\.hidden_rate_limit\.schedule: must be in order of after_s$/,
  ],
])('%s is refused', (json, reason) => {
  expect(faultsOf(json)).toEqual([expect.stringMatching(reason)]);
});

test('every mistake of a file is reported, with its path', () => {
  const script = {
    sed: 1,
    faults: [
      { operation: 'getUser', do: { status: 404 } },
      { operation: 'getUser', when: { every: 0, probability: -1 }, do: { cut_reply: true }, also: 1 },
    ],
  };
  expect(faultsOf(JSON.stringify(script)).map((line) => line.split(': ')[0])).toEqual([
    'sed',
    'faults[0].do.status',
    'faults[1].also',
    'faults[1].when.every',
    'faults[1].when.probability',
  ]);
});

const examples = new URL('../../../fixtures/faults/', import.meta.url);

test('the example scripts are valid', () => {
  const names = readdirSync(examples);
  expect(names).toHaveLength(3);
  for (const name of names) {
    expect(scriptOf(readFileSync(new URL(name, examples), 'utf8')).faults.length, name).toBeGreaterThan(0);
  }
});
