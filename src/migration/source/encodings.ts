import { SourceError } from '../model/errors.ts';

/** A text encoding. `bom` is the byte order mark that identifies it at the beginning of a file; Node.js itself decodes such ones. */
export interface Encoding {
  label: string;
  bom?: readonly number[];
  /** Name in iconv-lite, if it is another one. */
  iconv?: string;
  /** True if it is of East Asia: two bytes or more make a character, so that UTF-8 is decoded to other characters without a fault. */
  isWide?: true;
}

/** The first five can be detected, the others must be named. ISO 8859-1 is read as Windows-1252. */
export const encodings = {
  'utf-8': { label: 'UTF-8', bom: [0xef, 0xbb, 0xbf] },
  'utf-16le': { label: 'UTF-16 (little endian)', bom: [0xff, 0xfe] },
  'utf-16be': { label: 'UTF-16 (big endian)', bom: [0xfe, 0xff] },
  gb18030: { label: 'GB18030', isWide: true },
  'windows-1252': { label: 'Windows-1252' },
  big5: { label: 'Big5', iconv: 'big5-hkscs', isWide: true },
  shift_jis: { label: 'Shift_JIS', isWide: true },
  'euc-jp': { label: 'EUC-JP', isWide: true },
  'euc-kr': { label: 'EUC-KR', isWide: true },
  'windows-874': { label: 'Windows-874' },
  'windows-1250': { label: 'Windows-1250' },
  'windows-1251': { label: 'Windows-1251' },
  'windows-1253': { label: 'Windows-1253' },
  'windows-1254': { label: 'Windows-1254' },
  'windows-1255': { label: 'Windows-1255' },
  'windows-1256': { label: 'Windows-1256' },
  'windows-1257': { label: 'Windows-1257' },
  'windows-1258': { label: 'Windows-1258' },
  'iso-8859-2': { label: 'ISO 8859-2' },
  'iso-8859-5': { label: 'ISO 8859-5' },
  'iso-8859-7': { label: 'ISO 8859-7' },
  'iso-8859-9': { label: 'ISO 8859-9' },
  'iso-8859-15': { label: 'ISO 8859-15' },
  'koi8-r': { label: 'KOI8-R' },
  'koi8-u': { label: 'KOI8-U' },
  cp437: { label: 'CP437' },
  cp850: { label: 'CP850' },
  macintosh: { label: 'Mac OS Roman' },
} as const satisfies Record<string, Encoding>;

export type EncodingName = keyof typeof encodings;
const encodingNames = Object.keys(encodings) as EncodingName[];

const otherNames: Record<string, EncodingName> = {
  ...{ utf8sig: 'utf-8', utf16: 'utf-16le', ucs2: 'utf-16le', ucs2le: 'utf-16le', unicode: 'utf-16le' },
  ...{ gbk: 'gb18030', gb2312: 'gb18030', cp936: 'gb18030' },
  ...{ big5hkscs: 'big5', cp950: 'big5', cp949: 'euc-kr' },
  ...{ sjis: 'shift_jis', cp932: 'shift_jis', windows31j: 'shift_jis' },
  ...{ latin1: 'windows-1252', iso88591: 'windows-1252', latin2: 'iso-8859-2', latin9: 'iso-8859-15' },
};

const named = new Map<string, EncodingName>([
  ...Object.entries(otherNames),
  ...encodingNames.map((name) => [plainName(name), name] as const),
]);

/** Returns the encoding with this name, in any case, with any punctuation, and in usual other words; `undefined` if there is none. */
export function encodingNamed(name: string): EncodingName | undefined {
  return named.get(plainName(name).replace(/^cp(?=125\d$)/, 'windows'));
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Returns the error for a file whose bytes are not in the encoding. */
export function notOfEncoding(file: string, encoding: EncodingName, line: number): SourceError {
  const fault = `the text is not ${encodings[encoding].label}, or a character is cut; name its encoding (--encoding), export it again, or convert a copy: ${convertCommand('WINDOWS-1252')}`;
  return new SourceError(file, fault, line);
}

/** Returns the error for a text with a NUL character, which no value of a user can have. */
export function withNul(file: string, encoding: EncodingName, line: number): SourceError {
  const fault = 'the line has a NUL byte, which no text has; export the file again without it';
  const advice =
    ", or remove it from a copy: tr -d '\\0' < old.csv > new.csv. If the file is UTF-16, name that: --encoding utf-16le";
  return new SourceError(file, encoding.startsWith('utf-16') ? fault : fault + advice, line);
}

/** Warns of a text that was named as Windows-1252, and is probably in another encoding. */
export const otherEncoding =
  'the text looks like another encoding than windows-1252, such as windows-1250 (Polish, Czech, Hungarian) or windows-1254 (Turkish): look at the names with that --encoding before the import, since names would be wrong (£ukasz for Łukasz)';

/** Shell command that converts a file to UTF-8 and, unlike a spreadsheet, changes nothing else. */
export function convertCommand(from: string): string {
  return `iconv -f ${from} -t UTF-8 old.csv > new.csv`;
}
