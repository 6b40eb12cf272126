import * as v from 'valibot';
import { count } from '../../contract/wire.ts';
import type { FileForecast } from '../commands/prepare/forecast.ts';
import type { Forecast } from '../output/forecast.ts';
import { described, text } from './shapes.ts';

const amount = v.pipe(v.number(), v.minValue(0));

const rangeOf = <Value extends v.GenericSchema>(value: Value) =>
  v.strictObject({ low: value, likely: value, high: value });

const pace = v.strictObject({
  source: described(v.picklist(['import', 'look-ups']), 'import: the last one into this tenant'),
  measured_at: text,
  slowest: described(amount, 'requests a second, in the slowest tenth of the time'),
  likely: described(amount, 'on the whole'),
  fastest: amount,
  limit: described(v.nullable(amount), 'requests a second that the tenant let pass; null: it throttled none'),
  in_flight: count,
});

/** How long an import takes. */
export const forecast = v.strictObject({
  requests: described(count, 'one for each row, and one more for each user who is disabled'),
  pace: described(v.nullable(pace), 'null: none is known'),
  requests_per_second: v.nullable(rangeOf(amount)),
  seconds: described(v.nullable(rangeOf(amount)), 'of sending, at best, most likely and at worst'),
  starts_at: described(text, 'ISO 8601 with offset, as the other times'),
  ends_at: v.nullable(rangeOf(text)),
  window: v.nullable(
    v.strictObject({
      from: text,
      to: text,
      zone: text,
      openings: described(v.nullable(rangeOf(count)), 'nights, or days, on which it is open for the import'),
    }),
  ),
  reasons: described(v.array(text), 'why the range is as wide as it is'),
  usual: described(
    v.array(
      v.strictObject({
        requests_per_second: amount,
        seconds: amount,
        ends_at: text,
        openings: v.nullable(count),
      }),
    ),
    'at usual limits, where no pace is known',
  ),
}) satisfies v.GenericSchema<unknown, Forecast>;

/** What `forecast` prints. */
export const forecastShapes = {
  forecast: {
    title: 'How long an import of a file takes',
    document: v.strictObject({
      file: text,
      rows: count,
      ready: described(count, 'rows that would be sent'),
      rejected: count,
      skipped: described(count, 'left out by the recipe'),
      ...forecast.entries,
    }) satisfies v.GenericSchema<unknown, FileForecast>,
  },
};
