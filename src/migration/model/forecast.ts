import * as v from 'valibot';
import { amount, count, described, text } from '../../contract/value-schemas.ts';

const rangeOf = <Value extends v.GenericSchema>(value: Value) =>
  v.strictObject({ low: value, likely: value, high: value });

/** The pace that a service sustained, in requests per second. */
export const pace = v.strictObject({
  slowest: described(amount, 'requests a second, in the slowest tenth of the time'),
  likely: described(amount, 'on the whole'),
  fastest: described(amount, 'in the fastest tenth'),
  limit: described(v.nullable(amount), 'requests a second that the tenant let pass; null: it throttled none'),
  in_flight: described(count, 'requests in flight that were found best'),
});

export type Pace = v.InferOutput<typeof pace>;

export const forecast = v.strictObject({
  requests: described(count, 'one for each row, and one more for each user who is disabled'),
  pace: described(
    v.nullable(
      v.strictObject({
        source: described(v.picklist(['import', 'look-ups']), 'import: the last one into this tenant'),
        measured_at: text,
        ...pace.entries,
      }),
    ),
    'null: none is known',
  ),
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
});

export type Forecast = v.InferOutput<typeof forecast>;

export const fileForecast = v.strictObject({
  file: text,
  rows: described(count, 'of the file, or of the shard'),
  ready: described(count, 'rows that would be sent'),
  sent_before: described(count, 'rows that earlier runs of the job have sent'),
  rejected: count,
  skipped: described(count, 'left out by the recipe'),
  ...forecast.entries,
});

export type FileForecast = v.InferOutput<typeof fileForecast>;
