import type { Format } from './formats.ts';

/** One JSON document. */
export const formatJson: Format = ({ document }) => `${toJson(document)}\n`;

/** A record a line. */
export const formatJsonLines: Format = ({ rows }) => rows.map((row) => `${toJson(row)}\n`).join('');

/** JSON that cannot drive a terminal: beyond what JSON escapes, so are DEL, C1 controls and direction marks. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from({ length: character.length }, (_, unit) => escaped(character.charCodeAt(unit))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
