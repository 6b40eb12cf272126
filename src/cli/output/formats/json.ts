import { pagesOf, valueAt } from './cell.ts';
import type { Format, ListShape, Row } from './format.ts';

/** One JSON document. If reading the records fails, it is completed with what `rest` returns then, and the error is rethrown. */
export const formatJson: Format = async function* (result, columns) {
  const select = selectColumns(columns);
  const texts = (page: readonly object[]) => page.map((row) => JSON.stringify(select(row)));
  const { list } = result;
  if (!list) {
    for await (const page of pagesOf(result)) yield harmless(`${texts(page).join('\n')}\n`);
    return;
  }
  const opening = `{${JSON.stringify(list.name)}:[`;
  let before = opening;
  try {
    for await (const page of pagesOf(result)) {
      const text = texts(page).join(',');
      if (before === opening || text !== '') yield harmless(before + text);
      before = before === ',' || text !== '' ? ',' : '';
    }
  } catch (failure) {
    if (before !== opening) yield closing(list);
    throw failure;
  }
  yield (before === opening ? opening : '') + closing(list);
};

function closing({ rest }: ListShape): string {
  const fields = toJson(rest?.() ?? {}).slice(1);
  return `]${fields === '}' ? '' : ','}${fields}\n`;
}

export const formatJsonLines: Format = async function* (result, columns) {
  const select = selectColumns(columns);
  for await (const page of pagesOf(result)) {
    let text = '';
    for (const row of page) text += `${JSON.stringify(select(row))}\n`;
    yield harmless(text);
  }
};

/** JSON that is safe for a terminal: also escapes DEL, C1 controls, and format characters such as direction marks. */
export function toJson(value: unknown, indent?: number): string {
  return harmless(JSON.stringify(value, null, indent));
}

/** Escapes unsafe characters. They are all U+007F or above, so most text passes the first test and is returned as it is. */
function harmless(json: string): string {
  if (!/[\u007f-\uffff]/.test(json)) return json;
  return json.replace(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Returns a function that keeps the named fields of a record, in the order of the names. Dotted names stay nested. */
export function selectColumns(columns: readonly string[] | undefined): (row: Row) => Row {
  if (!columns) return (row) => row;
  // Without a prototype, a field can have any name.
  const create = (): Record<string, unknown> => Object.create(null);
  return (row) => {
    const kept = create();
    for (const column of columns) {
      const value = valueAt(row, column);
      if (value === undefined) continue;
      const dot = Object.hasOwn(row, column) ? -1 : column.indexOf('.');
      const head = column.slice(0, dot);
      if (dot < 0) kept[column] = value;
      else if (!columns.includes(head))
        kept[head] = Object.assign(create(), kept[head], { [column.slice(dot + 1)]: value });
    }
    return kept;
  };
}
