import type { NewUserValues } from '../../../contract/wire.ts';

/** Puts layers of attribute values on top of each other: later ones win, extension attributes are merged by key. */
export function mergeValues<Values extends Pick<NewUserValues, 'extension'>>(...layers: Values[]): Values {
  const extension: Record<string, string> = Object.assign({}, ...layers.map((layer) => layer.extension));
  const values: Values = Object.assign({}, ...layers);
  return Object.keys(extension).length > 0 ? { ...values, extension } : values;
}
