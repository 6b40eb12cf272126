import { SourceError } from '../model/errors.ts';

/** A text encoding. `bom` is the byte order mark that identifies it at the beginning of a file. */
export interface Encoding {
  label: string;
  bom?: readonly number[];
  /** Name in iconv-lite; Node.js itself decodes encodings without one. */
  iconv?: string;
}

/** The first five can be detected, the others must be named. ISO 8859-1 is read as Windows-1252. */
export const encodings = {
  'utf-8': { label: 'UTF-8', bom: [0xef, 0xbb, 0xbf] },
  'utf-16le': { label: 'UTF-16 (little endian)', bom: [0xff, 0xfe] },
  'utf-16be': { label: 'UTF-16 (big endian)', bom: [0xfe, 0xff] },
  gb18030: { label: 'GB18030', iconv: 'gb18030' },
  'windows-1252': { label: 'Windows-1252', iconv: 'windows-1252' },
  big5: { label: 'Big5', iconv: 'big5-hkscs' },
  shift_jis: { label: 'Shift_JIS', iconv: 'shift_jis' },
  'euc-jp': { label: 'EUC-JP', iconv: 'euc-jp' },
  'euc-kr': { label: 'EUC-KR', iconv: 'euc-kr' },
  'windows-874': { label: 'Windows-874', iconv: 'windows-874' },
  'windows-1250': { label: 'Windows-1250', iconv: 'windows-1250' },
  'windows-1251': { label: 'Windows-1251', iconv: 'windows-1251' },
  'windows-1253': { label: 'Windows-1253', iconv: 'windows-1253' },
  'windows-1254': { label: 'Windows-1254', iconv: 'windows-1254' },
  'windows-1255': { label: 'Windows-1255', iconv: 'windows-1255' },
  'windows-1256': { label: 'Windows-1256', iconv: 'windows-1256' },
  'windows-1257': { label: 'Windows-1257', iconv: 'windows-1257' },
  'windows-1258': { label: 'Windows-1258', iconv: 'windows-1258' },
  'iso-8859-2': { label: 'ISO 8859-2', iconv: 'iso-8859-2' },
  'iso-8859-5': { label: 'ISO 8859-5', iconv: 'iso-8859-5' },
  'iso-8859-7': { label: 'ISO 8859-7', iconv: 'iso-8859-7' },
  'iso-8859-9': { label: 'ISO 8859-9', iconv: 'iso-8859-9' },
  'iso-8859-15': { label: 'ISO 8859-15', iconv: 'iso-8859-15' },
  'koi8-r': { label: 'KOI8-R', iconv: 'koi8-r' },
  'koi8-u': { label: 'KOI8-U', iconv: 'koi8-u' },
  cp437: { label: 'CP437', iconv: 'cp437' },
  cp850: { label: 'CP850', iconv: 'cp850' },
  macintosh: { label: 'Mac OS Roman', iconv: 'macintosh' },
} as const satisfies Record<string, Encoding>;

export type EncodingName = keyof typeof encodings;

const otherSpellings: Record<string, EncodingName> = {
  utf8: 'utf-8',
  'utf-8-sig': 'utf-8',
  utf16le: 'utf-16le',
  'ucs-2': 'utf-16le',
  utf16be: 'utf-16be',
  gbk: 'gb18030',
  gb2312: 'gb18030',
  cp936: 'gb18030',
  cp950: 'big5',
  'big5-hkscs': 'big5',
  sjis: 'shift_jis',
  'shift-jis': 'shift_jis',
  cp932: 'shift_jis',
  'windows-31j': 'shift_jis',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  cp949: 'euc-kr',
  cp1250: 'windows-1250',
  cp1251: 'windows-1251',
  cp1252: 'windows-1252',
  latin2: 'iso-8859-2',
  latin9: 'iso-8859-15',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
};

/** Returns the encoding with this name, in any case and any usual spelling; `undefined` if there is none. */
export function encodingNamed(name: string): EncodingName | undefined {
  const plain = name.toLowerCase().replaceAll('_', '-');
  if (isEncoding(plain)) return plain;
  return Object.hasOwn(otherSpellings, plain) ? otherSpellings[plain] : undefined;
}

function isEncoding(name: string): name is EncodingName {
  return Object.hasOwn(encodings, name);
}

/** Returns the error for a file whose bytes are not in the encoding. */
export function notOfEncoding(file: string, encoding: EncodingName, line: number): SourceError {
  const fault = `the text is not ${encodings[encoding].label}, or a character is cut, or it holds a NUL byte; name its encoding (--encoding), export it again, or convert a copy: ${convertCommand('WINDOWS-1252')}`;
  return new SourceError(file, fault, line);
}

/** Shell command that converts a file to UTF-8 and, unlike a spreadsheet, changes nothing else. */
export function convertCommand(from: string): string {
  return `iconv -f ${from} -t UTF-8 old.csv > new.csv`;
}
