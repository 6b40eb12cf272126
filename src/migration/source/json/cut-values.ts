import { SourceError } from '../../model/errors.ts';
import { largestRecord, requireName } from '../../model/source-record.ts';

/** A record, as the text of its JSON object. */
export interface CutValue {
  bytes: Buffer;
  /** Physical line on which it begins, from 1. */
  line: number;
}

/** An open object on the path to the records, or beside it, or a list around them. */
interface Frame {
  isList: boolean;
  /** Number of path names matched so far; `undefined` beside the path. */
  level: number | undefined;
  /** Names of the objects beside the path that lead to it; empty on the path. */
  names: readonly string[];
  /** Name of the current member; `undefined` where a name is expected. */
  name: string | undefined;
}

const byteOf = {
  lineFeed: 10,
  quote: 34,
  comma: 44,
  colon: 58,
  openList: 91,
  backslash: 92,
  closeList: 93,
  open: 123,
  close: 125,
} as const;

/** Most lists and objects in one another. No export has as many, and outside of records each keeps the names that lead to it. */
const mostLevels = 100;
const tooDeep = `more than ${mostLevels} lists and objects are nested in one another; look for a bracket that is not closed, or leave them out of the export`;

/** A list or an object that is a member of an object on the path to the records, or of one beside it. */
interface Member {
  /** Names of the objects beside the path that it is in, and its own. */
  names: readonly string[];
  isList: boolean;
  /** True at the end of the path, for the records. */
  isRecords: boolean;
  /** Number of the outermost value of the text that it is in, from 1: of several pages, each is one. */
  value: number;
}

/** Called for what is around the records. */
interface Around {
  onMember?: (member: Member) => void;
  /** Called for each other member of these objects, with its text: of a string, without quotes but with escapes. */
  onValue?: (names: readonly string[], text: string) => void;
  /** Called for a list beside the path, at the first object in it. */
  onOtherList?: (names: readonly string[]) => void;
  /** Called at the end of an object on the path. */
  onEnd?: () => void;
}

/**
 * Creates a function that returns the records which end in a chunk of the file; `undefined` stands for its end. The records are the
 * objects at `path`, a list of member names. Lists on the way are entered, and objects may follow one another, as in JSON Lines.
 * Examines only brackets, quotes and names: the content of a record is checked when it is parsed. Throws a `SourceError` if the text
 * ends inside a value. No library reports the line on which a value begins.
 */
export function createCutter(
  file: string,
  path: readonly string[],
  { onMember, onValue, onOtherList, onEnd }: Around = {},
) {
  const frames: Frame[] = [];
  let values = 0;
  let line = 1;
  let inString = false;
  let isEscaped = false;
  /** Open brackets of the current record, or of a list that is skipped. */
  let depth = 0;
  /** The names of the list that is skipped, until there is an object in it. */
  let skipped: readonly string[] | undefined;
  let isRecord = false;
  let startLine = 1;
  /** The parts of the current record or string that were in earlier chunks. */
  let parts: Buffer[] = [];
  let size = 0;
  /** True inside a string outside of records: a name, or the value of a member. */
  let isText = false;
  /** The current number or word outside of records. */
  let word = '';
  let isFirst = true;

  function fail(fault: string): never {
    throw new SourceError(file, `not readable as JSON: ${fault}`, line);
  }

  /** The level of a value in `top`; `undefined` if it does not lead to the records. */
  function levelOf(top: Frame | undefined): number | undefined {
    if (!top) return 0;
    if (top.isList || top.level === undefined) return top.level;
    return top.name === path[top.level] ? top.level + 1 : undefined;
  }

  function scalar(top: Frame | undefined): void {
    if (!top || levelOf(top) === path.length)
      fail('a record must be an object, such as {"user_name": "ann"}');
  }

  function openValue(isList: boolean): boolean {
    const top = frames.at(-1);
    if (top && !top.isList && top.name === undefined) fail('a name in double quotes is expected');
    const level = levelOf(top);
    const names = namesIn(top);
    if (!top) values += 1;
    if (top && !top.isList) onMember?.({ names, isList, isRecords: level === path.length, value: values });
    if (isList ? level === undefined : level === path.length) {
      isRecord = !isList;
      skipped = isList ? names : undefined;
      depth = 1;
      startLine = line;
      return true;
    }
    frames.push({ isList, level, names: level === undefined ? names : [], name: undefined });
    return false;
  }

  /** Names of the current member of an object. */
  function namesIn(top: Frame | undefined): readonly string[] {
    return !top || top.isList ? [] : [...top.names, top.name ?? ''];
  }

  function push(chunk: Buffer): CutValue[] {
    const found: CutValue[] = [];
    let start = 0;
    let index = isFirst && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
    isFirst = false;
    for (; index < chunk.length; index += 1) {
      const byte = chunk[index] ?? 0;
      if (byte === byteOf.lineFeed) line += 1;
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (byte === byteOf.backslash) isEscaped = true;
        else if (byte === byteOf.quote) {
          inString = false;
          if (isText) endText(chunk.subarray(start, index + 1));
        }
        continue;
      }
      if (byte === byteOf.quote) {
        inString = true;
        if (depth > 0) continue;
        const top = frames.at(-1);
        if (top?.isList !== false || top.name !== undefined) scalar(top);
        isText = true;
        start = index;
      } else if (byte === byteOf.open || byte === byteOf.openList) {
        if (frames.length + depth === mostLevels) throw new SourceError(file, tooDeep, line);
        if (depth > 0) {
          depth += 1;
          if (skipped && byte === byteOf.open) onOtherList?.(skipped);
          if (byte === byteOf.open) skipped = undefined;
        } else if (openValue(byte === byteOf.openList)) start = index;
      } else if (byte === byteOf.close || byte === byteOf.closeList) {
        if (depth > 1) depth -= 1;
        else if (depth === 1) {
          depth = 0;
          if (isRecord) found.push({ bytes: whole(chunk.subarray(start, index + 1)), line: startLine });
          isRecord = false;
        } else {
          endWord();
          const top = frames.pop();
          if (!top || top.isList !== (byte === byteOf.closeList))
            fail('a bracket closes that was never opened');
          if (!top.isList && top.level !== undefined) onEnd?.();
        }
      } else if (depth === 0 && byte > 32) between(byte);
    }
    if (isRecord || isText) keep(chunk.subarray(start));
    return found;
  }

  function between(byte: number): void {
    const top = frames.at(-1);
    if (byte === byteOf.comma && top) {
      endWord();
      if (!top.isList) top.name = undefined;
    } else if (byte !== byteOf.colon || !top || top.isList) {
      scalar(top);
      word += String.fromCharCode(byte);
    }
  }

  function endWord(): void {
    if (word !== '') reportValue(word);
    word = '';
  }

  function endText(rest: Buffer): void {
    const top = frames.at(-1);
    const text = whole(rest).toString();
    isText = false;
    if (!top || top.isList || top.name !== undefined) {
      reportValue(text.slice(1, -1));
      return;
    }
    try {
      top.name = String(JSON.parse(text));
    } catch {
      fail('a name is not a text in double quotes');
    }
    requireName(file, namesIn(top).join('.'), line);
  }

  function reportValue(value: string): void {
    const top = frames.at(-1);
    if (top && !top.isList) onValue?.(namesIn(top), value);
  }

  function keep(part: Buffer): void {
    size += part.length;
    if (size > largestRecord) {
      throw new SourceError(
        file,
        'more than 64 MiB without the end of a record; look for a quote or a bracket that is not closed',
        startLine,
      );
    }
    parts.push(part);
  }

  function whole(rest: Buffer): Buffer {
    if (parts.length === 0) return rest;
    const bytes = Buffer.concat([...parts, rest]);
    parts = [];
    size = 0;
    return bytes;
  }

  function end(): CutValue[] {
    if (inString || depth > 0 || frames.length > 0) fail('the file ends inside a value; it was cut short');
    return [];
  }

  return (chunk: Buffer | undefined): CutValue[] => (chunk ? push(chunk) : end());
}
