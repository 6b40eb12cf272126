import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMobile } from '../../../src/contract/normal-forms.ts';
import { isDay } from '../../../src/contract/time.ts';
import type { Recipe } from '../../../src/migration/recipes/recipe.ts';
import { compileSteps, type StepName, stepTable, trimmed } from '../../../src/migration/recipes/steps.ts';

type Rule = Recipe['fields'][string];
const text = fc.string({ unit: 'grapheme', minLength: 1 });

/** Checks a property for every value that a step can get; steps never get an empty value. */
async function holds(rule: Rule, property: (value: string, made: unknown) => unknown, values = text) {
  const step = await compileSteps(rule);
  fc.assert(
    fc.property(values, (value) => {
      const made = step(value);
      expect(step(value)).toEqual(made);
      if (typeof made !== 'string') expect(JSON.stringify(made)).not.toContain(JSON.stringify(value));
      return property(value, made) !== false;
    }),
  );
}

/** A property of each step that holds for every value. */
const properties: Record<StepName | 'otherwise' | 'default', [says: string, property: () => Promise<void>]> =
  {
    empty: [
      'makes no value of these texts, and of nothing else',
      async () => {
        const step = await compileSteps({ empty: ['-'] }, ['NULL', 0]);
        expect(['', '-', 'NULL', '\u00a0NULL  ', '0', 'null', 'a', '-a'].map(step).join()).toBe(
          ',,,,,null,a,-a',
        );
        await holds({ empty: ['-'] }, (value, made) => made === (trimmed(value) === '-' ? '' : value));
      },
    ],
    trim: [
      'takes blanks at both ends and nothing else',
      () =>
        holds({ trim: true }, (value, made) => {
          expect(made).not.toMatch(/^\s|\s$/);
          expect(value).toContain(made);
        }),
    ],
    strip: [
      'removes one prefix once',
      async () => {
        await holds({ strip: ['bcrypt$', '{CRYPT}'] }, (value, made) => made === value);
        const step = await compileSteps({ strip: ['bcrypt$', '{CRYPT}'] });
        fc.assert(
          fc.property(
            text,
            (value) => step(`bcrypt$${value}`) === value && step(`{CRYPT}${value}`) === value,
          ),
        );
      },
    ],
    replace: [
      'takes linear time and knows groups',
      async () => {
        await holds(
          { replace: [{ match: '[aeiou]+', with: '' }] },
          (value, made) => made === value.replaceAll(/[aeiou]+/g, ''),
        );
        await holds(
          { replace: [{ match: '(a+)+$', with: 'x' }] },
          () => {},
          fc.constant(`${'a'.repeat(5000)}b`),
        );
        expect((await compileSteps({ replace: [{ match: '^(\\d)', with: '+$1' }] }))('86138')).toBe('+86138');
      },
    ],
    split: [
      'gives a part, from either end, or nothing',
      async () => {
        await holds({ split: { by: ',', take: 1 } }, (value, made) => made === value.split(',')[0]);
        await holds({ split: { by: ',', take: -1 } }, (value, made) => made === value.split(',').at(-1));
        await holds({ split: { by: '@', take: 40 } }, (_, made) => made === '');
      },
    ],
    lower: [
      'changes nothing but case',
      () => holds({ lower: true }, (value, made) => made === value.toLowerCase()),
    ],
    upper: [
      'changes nothing but case',
      () => holds({ upper: true }, (value, made) => made === value.toUpperCase()),
    ],
    text: [
      'rejects numbers that a spreadsheet has changed',
      async () => {
        const step = await compileSteps({ text: true });
        const changed = ['6.22202E+18', '1e5', '17.0', '622202100112346000'].map(step);
        expect(changed.map((one) => typeof one === 'object' && one.code)).toEqual([
          'SCIENTIFIC',
          'SCIENTIFIC',
          'SCIENTIFIC',
          'NUMBER_ROUNDED',
        ]);
        await holds({ text: true }, (value, made) => made === value, fc.integer().map(String));
      },
    ],
    values: [
      'knows its keys and rejects or replaces all else',
      async () => {
        const values = { M: 'male', F: 'female', constructor: 'x' };
        await holds({ values }, (value, made) =>
          Object.hasOwn(values, value) ? made === values[value as 'M'] : typeof made === 'object',
        );
        await holds(
          { values, otherwise: 'unknow' },
          (value, made) => Object.hasOwn(values, value) || made === 'unknow',
        );
        await holds(
          { values },
          (_, made) => typeof made === 'object',
          fc.constantFrom('toString', '__proto__', 'm'),
        );
      },
    ],
    phone: [
      'gives one form of a number of a country, or none',
      async () => {
        const rule = { phone: { region: 'CN' } };
        await holds(rule, (_, made) => typeof made === 'object' || parseMobile(String(made)) !== undefined);
        const digits = fc.integer({ min: 0, max: 99_999_999 }).map((rest) => String(rest).padStart(8, '0'));
        const step = await compileSteps(rule);
        fc.assert(
          fc.property(digits, (rest) => {
            const number = `138${rest}`;
            const forms = [
              number,
              `+86${number}`,
              `0086 ${number}`,
              `+86-${number}`,
              `${number.slice(0, 3)} ${number.slice(3, 7)}-${number.slice(7)}`,
              `(+86) ${number}`,
            ];
            expect(forms.map(step)).toEqual(forms.map(() => `+86-${number}`));
          }),
        );
        for (const bad of [
          '1380013800',
          '138001380000',
          '1.38E+10',
          '13800138000 x12',
          'n/a',
          '13800138000/13800138001',
          '+1 13800138000',
        ]) {
          expect(step(bad)).toMatchObject({ code: 'PHONE_UNREADABLE' });
        }
        expect((await compileSteps({ phone: {} }))('13800138000')).toMatchObject({
          code: 'PHONE_UNREADABLE',
        });
      },
    ],
    date: [
      'gives a day that exists, of any form, and none where two forms disagree',
      async () => {
        const formats = ['dd.MM.yyyy', 'yyyy/M/d', 'epoch-seconds', 'iso'];
        await holds({ date: formats }, (_, made) => typeof made === 'object' || isDay(String(made)));
        const step = await compileSteps({ date: formats });
        const days = fc.date({
          min: new Date('1900-01-01'),
          max: new Date('2100-01-01'),
          noInvalidDate: true,
        });
        fc.assert(
          fc.property(days, (day) => {
            const iso = day.toISOString().slice(0, 10);
            const [year = '', month = '', date = ''] = iso.split('-');
            const seconds = String(Math.floor(day.getTime() / 1000));
            const forms = [
              `${date}.${month}.${year}`,
              `${year}/${Number(month)}/${Number(date)}`,
              seconds,
              iso,
              `${iso}T10:00:00Z`,
            ];
            expect(forms.map(step)).toEqual(forms.map(() => iso));
          }),
        );
        expect(
          ['31.02.1990', '1.2.90', '01.02.90', '1990-13-01', ''].map(step).map((one) => typeof one),
        ).toEqual(['object', 'object', 'object', 'object', 'string']);
        // Ten digits would be a day of January 1970 in milliseconds, eleven one of the year 2286 in seconds.
        const epochs = await compileSteps({ date: ['epoch-seconds', 'epoch-milliseconds'] });
        const read = ['1700000000', '1900000000000', '-5000000', '31536000000'].map(epochs);
        expect(read).toMatchObject(['2023-11-14', '2030-03-17', '1969-11-04', { code: 'DATE_UNREADABLE' }]);
        const both = await compileSteps({ date: ['dd/MM/yyyy', 'MM/dd/yyyy'] });
        expect([both('02/01/1990'), both('13/01/1990'), both('05/05/1990')]).toMatchObject([
          { code: 'DATE_UNREADABLE', detail: expect.stringContaining('two forms') },
          '1990-01-13',
          '1990-05-05',
        ]);
        const short = { date: ['dd.MM.yy'] };
        const [any, birthday] = [await compileSteps(short), await compileSteps(short, [], 'attr_birthday')];
        expect([any('01.02.55'), birthday('01.02.55')]).toEqual(['2055-02-01', '1955-02-01']);
        expect(['01.02.90', '01.02.20', '29.02.00'].map(birthday).join()).toBe(
          '1990-02-01,2020-02-01,2000-02-29',
        );
      },
    ],
    otherwise: [
      'takes the place of what values, phone and date cannot read, and of nothing else',
      async () => {
        const values = { a: 'b' };
        await holds({ values, otherwise: '' }, (value, made) => made === (value === 'a' ? 'b' : ''));
        await holds(
          { date: ['iso'], otherwise: 'x' },
          (value, made) => made === 'x' || isDay(value.slice(0, 10)),
        );
        await holds({ phone: { region: 'CN' }, otherwise: 'x' }, (_, made) => typeof made === 'string');
        await holds({ trim: true, otherwise: 'x' }, (value, made) => made === value.trim() || made !== 'x');
        const step = await compileSteps({ text: true, values: { a: 'b' }, otherwise: '' });
        expect(['a', 'c', '6.2E+18'].map(step)).toEqual(['b', '', { code: 'SCIENTIFIC' }]);
      },
    ],
    default: [
      'takes the place of no value, and of nothing else',
      async () => {
        const step = await compileSteps({ default: 'x', empty: ['-'] }, ['NULL']);
        expect(['', '-', 'NULL', 'null', 'a'].map(step)).toEqual(['x', 'x', 'x', 'null', 'a']);
        await holds({ default: 'x' }, (value, made) => made === value);
      },
    ],
  };

test('every step has a property', () => {
  expect(Object.keys(properties)).toEqual([...Object.keys(stepTable), 'otherwise', 'default']);
});

test.each(Object.entries(properties).map(([step, [says, property]]) => [step, says, property] as const))(
  'the step %s %s',
  (_step, _says, property) => property(),
);

test('steps are executed in one order, however they are written', async () => {
  const step = await compileSteps({ lower: true, strip: ['X-'], trim: true, values: { a: 'yes' } });
  expect(step('  X-A ')).toBe('yes');
});

test('a name that every object has is not accepted as a form of a date', async () => {
  await expect(compileSteps({ date: ['constructor'] })).rejects.toThrow('is not a form such as dd.MM.yyyy');
});
