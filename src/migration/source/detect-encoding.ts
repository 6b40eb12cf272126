import { isUtf8 } from 'node:buffer';
import { SourceError } from '../model/errors.ts';
import { convertCommand, type EncodingName, encodings } from './encodings.ts';
import { createTextCheck, endOfLines, recut } from './to-utf8.ts';

const marked = ['utf-8', 'utf-16le', 'utf-16be'] as const;

/**
 * Returns the encoding shown by a byte order mark, whatever was given; else the given one, whose byte order, if it is UTF-16, zero
 * bytes show better; else UTF-16 if these show it. Throws a `SourceError` for UTF-32.
 */
export function encodingOf(file: string, head: Buffer, given?: EncodingName): EncodingName | undefined {
  if (startsWith(head, [0xff, 0xfe, 0, 0]) || startsWith(head, [0, 0, 0xfe, 0xff])) {
    throw new SourceError(
      file,
      `the text is UTF-32, which is not supported; convert a copy: ${convertCommand('UTF-32')}`,
    );
  }
  const found = marked.find((name) => startsWith(head, encodings[name].bom));
  const mayBeWide = given === undefined || given.startsWith('utf-16');
  return found ?? (mayBeWide ? halfOfZeros(head) : undefined) ?? given;
}

/** Starts reading a file from its first byte. */
type ReadBytes = () => AsyncIterable<Buffer>;

/**
 * Detects the encoding of a file without a byte order mark from all its bytes; `undefined` if it is UTF-8. Rejects with a
 * `SourceError` if it is unclear: an import cannot be undone, and a wrong guess would spoil every name.
 */
export async function detectEncoding(file: string, read: ReadBytes): Promise<EncodingName | undefined> {
  const fault = await findFault(file, read);
  if (!fault) return undefined;
  const found = await findLegacyEncoding(read());
  if (found !== 'unknown' && found !== 'eastern') return found;
  const text = `the text is not UTF-8, and its encoding cannot be detected; name it (${likely[found]}), or convert a copy with iconv`;
  throw new SourceError(file, text, fault.line);
}

/** The encodings that may be meant, as options. */
const likely = {
  eastern:
    '--encoding windows-1250 for Polish, Czech or Hungarian names, windows-1254 for Turkish, windows-1257 for Baltic ones …; as windows-1252, names would be wrong: £ukasz for Łukasz',
  unknown:
    '--encoding gb18030, --encoding windows-1252, --encoding windows-1250, --encoding big5, --encoding shift_jis, --encoding euc-kr …',
};

/** True if the text of a file that was named as Windows-1252 is most likely in an encoding of Eastern Europe. */
export async function isProbablyEastern(read: ReadBytes): Promise<boolean> {
  return (await findLegacyEncoding(read())) === 'eastern';
}

/** Finds the first place that is not UTF-8; `undefined` if there is none. Throws if it is the end of a file that was cut short. */
async function findFault(file: string, read: ReadBytes): Promise<SourceError | undefined> {
  let isOver = false;
  async function* chunks(): AsyncGenerator<Buffer, void> {
    yield* read();
    isOver = true;
  }
  try {
    for await (const _ of createTextCheck(file, { encoding: 'utf-8' }).pass(chunks()));
  } catch (failure) {
    if (isOver || !(failure instanceof SourceError)) throw failure;
    return failure;
  }
  return undefined;
}

function startsWith(bytes: Buffer, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** Detects UTF-16 without a mark: a header is mostly ASCII, so one byte of nearly every pair is zero, always the same one. */
function halfOfZeros(head: Buffer): EncodingName | undefined {
  const zeros = [0, 0];
  for (let index = 0; index < head.length; index += 1) {
    if (head[index] === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  const many = head.length / 8;
  if (odd > many && even * 50 < odd) return 'utf-16le';
  return even > many && odd * 50 < even ? 'utf-16be' : undefined;
}

/** Counts that distinguish GB 18030 (two-byte characters) from Windows-1252 (single accented letters). */
const nothingSeen = {
  /** Bytes of 0x80 and above ("high bytes"). */
  high: 0,
  /** High bytes that are part of well-formed UTF-8 characters. */
  utf8: 0,
  /** Pairs that GB 18030 reads as one of the 3755 most common characters or as Chinese punctuation. */
  usual: 0,
  /** Common characters late in the alphabet (pinyin); Korean and Japanese text, whose bytes look similar, has hardly any. */
  late: 0,
  /** High bytes that are letters in Windows-1252. */
  letters: 0,
  /** High bytes from 0xC0 that stand between two ASCII characters. */
  alone: 0,
  /** High bytes that are rare in Western names, but frequent in names with ł š ž ğ ş ı ţ in another encoding. */
  eastern: 0,
  /** Bytes of õ and û, which are ő and ű in a Hungarian encoding. */
  hungarian: 0,
  /** Bytes of ã, which is more frequent than õ in Portuguese. */
  tilde: 0,
  /** Bytes of ø and æ where ř and ć stand in words, as in Ondřej, but also in Bøe. */
  czech: 0,
  /** Bytes of ø and æ elsewhere, and of å, which is the rare ĺ in Windows-1250. */
  nordic: 0,
  /** Bytes that are undefined in Windows-1252. */
  foreign: 0,
  gbFaults: 0,
};

type Signs = typeof nothingSeen;

/**
 * The encoding of a file that is not entirely UTF-8; `utf-8` except for some lines. `eastern`: most likely one of those of Eastern
 * Europe, which differ from Windows-1252 in few letters.
 */
type LegacyEncoding = 'gb18030' | 'windows-1252' | 'utf-8' | 'eastern' | 'unknown';

/**
 * Examines every byte of a file that is not UTF-8. Chooses an encoding only if a clear majority of bytes speak for it and the other
 * one is not plausible.
 */
async function findLegacyEncoding(chunks: AsyncIterable<Buffer>): Promise<LegacyEncoding> {
  const signs = { ...nothingSeen };
  for await (const part of recut(chunks, endOfLines)) look(part, signs);
  return judge(signs);
}

/**
 * Largest share of `eastern` bytes that Windows-1252 text may have. Polish, Czech, Turkish and similar encodings have other letters
 * at these bytes, so that every name would be wrong: Kamiñski for Kamiński.
 */
const mostEastern = 0.04;

function judge(signs: Signs): LegacyEncoding {
  const { high, utf8, usual, late, letters, alone, foreign, gbFaults } = signs;
  const eastern =
    signs.eastern + Math.max(signs.hungarian - signs.tilde, 0) + Math.max(signs.czech - signs.nordic, 0);
  if (utf8 * 2 > high) return 'utf-8';
  // A word or two made only of letter bytes may be in another encoding; real Chinese text soon has other bytes too.
  const chinese =
    gbFaults === 0 &&
    usual * 2 >= high * 0.8 &&
    (usual >= 5 || letters <= high * 0.85) &&
    late * 25 >= Math.max(usual, 1);
  const isSingle = usual * 2 <= high * 0.3;
  const isWestern = isSingle && foreign === 0 && alone >= high * 0.5 && eastern <= high * mostEastern;
  if (chinese && !isWestern) return 'gb18030';
  if (isWestern && !chinese) return 'windows-1252';
  // Many of its letters have lower bytes.
  const isEastern = isSingle && alone + eastern >= high * 0.6 && eastern > high * mostEastern;
  return isEastern && !chinese ? 'eastern' : 'unknown';
}

/** Ð Ý Þ ð ý þ (Icelandic), whose bytes are İ Ş ğ ı ş in Turkish, ţ in Romanian, š ž in Baltic and ý in Czech encodings. */
const easternLetters = new Set([0xd0, 0xdd, 0xde, 0xf0, 0xfd, 0xfe]);
/** Š Ž š ž, and Ÿ, whose byte is ź in Windows-1250. */
const lowLetters = new Set([0x8a, 0x8e, 0x9a, 0x9e, 0x9f]);
/** Signs that are normal beside a letter: ª º (Spanish), · (Catalan), ´ (apostrophe), « » (quotes), the no-break space and °. */
const usualSigns = new Set([0xa0, 0xa8, 0xaa, 0xab, 0xb0, 0xb4, 0xb7, 0xb8, 0xba, 0xbb]);

const vowels = new Set(Buffer.from('aeiouAEIOUáéíóúäöüÁÉÍÓÚÄÖÜ', 'latin1'));

/** Where a byte stands in words, if it is the letter of Windows-1250: its neighbours, and whether they are vowels. */
type Stands = (before: number, after: number) => boolean;

/** ř č ć are consonants beside a vowel, which ø è æ are not, but for the end of Giosuè. */
const asConsonant: Stands = (before, after) =>
  vowels.has(after) ||
  (vowels.has(before) && (isLetter(after) || !/[ou]/i.test(String.fromCharCode(before))));
/** The same for č, but for è between i or u and a consonant after which č is rare: Rivière, Guèye, Liège. */
const asCaron: Stands = (before, after) =>
  asConsonant(before, after) && !/^[iu][rvygc]$/i.test(String.fromCharCode(before, after));
/** ě ů stand before a consonant, but ì ù at the end of a word. */
const asVowel: Stands = (_, after) => isLetter(after) && !vowels.has(after);
/** ń ś never stand before a vowel, but ñ œ nearly always do. */
const asSoft: Stands = (before, after) => isLetter(before) && !vowels.has(after);

/** Letters that are frequent in Windows-1252 and, as others, in Windows-1250. A small file may have no other sign of it. */
const sharedLetters = new Map<number, Stands>([
  ...Array.from(Buffer.from('øæØÆ', 'latin1'), (byte) => [byte, asConsonant] as const),
  ...Array.from(Buffer.from('èÈ', 'latin1'), (byte) => [byte, asCaron] as const),
  ...Array.from(Buffer.from('ìùÌÙ', 'latin1'), (byte) => [byte, asVowel] as const),
  ...Array.from([0x9c, 0xd1, 0xf1], (byte) => [byte, asSoft] as const),
]);

const nordicLetters = new Set(Buffer.from('øæåØÆÅ', 'latin1'));

/**
 * True for a byte that is probably a letter of another encoding: one that is rare in Windows-1252 or at such a place, or a sign
 * beside a letter.
 */
function isEastern(byte: number, before = 0, after = 0): boolean {
  if (sharedLetters.get(byte)?.(before, after)) return true;
  if (byte >= 0xc0) return easternLetters.has(byte);
  if (byte < 0xa0) return lowLetters.has(byte);
  return !usualSigns.has(byte) && (isLetter(before) || isLetter(after));
}

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}

function look(bytes: Buffer, signs: Signs): void {
  lookForGb(bytes, signs);
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte < 0x80) continue;
    signs.high += 1;
    if (byte === 0x81 || byte === 0x8d || byte === 0x8f || byte === 0x90 || byte === 0x9d) signs.foreign += 1;
    if (byte >= 0xc0 || (byte >= 0x8a && byte <= 0x9f) || byte === 0xa0) signs.letters += 1;
    const isOther = isEastern(byte, bytes[index - 1], bytes[index + 1]);
    if (nordicLetters.has(byte)) signs[isOther ? 'czech' : 'nordic'] += 1;
    else if (isOther) signs.eastern += 1;
    if (byte === 0xf5 || byte === 0xfb || byte === 0xd5 || byte === 0xdb) signs.hungarian += 1;
    if (byte === 0xe3 || byte === 0xc3) signs.tilde += 1;
    // Below 0xC0, Windows-1252 has few letters, but Shift_JIS has the first bytes of most characters.
    if (byte >= 0xc0 && (bytes[index - 1] ?? 0) < 0x80 && (bytes[index + 1] ?? 0) < 0x80) signs.alone += 1;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (byte >= 0xc2 && isUtf8(bytes.subarray(index, index + length))) signs.utf8 += length;
  }
}

function lookForGb(bytes: Buffer, signs: Signs): void {
  for (let index = 0; index < bytes.length; index += 1) {
    const lead = bytes[index] ?? 0;
    if (lead < 0x80) continue;
    const trail = bytes[index + 1] ?? 0;
    index += 1;
    if (lead === 0x80 || lead === 0xff) signs.gbFaults += 1;
    else if (trail >= 0x30 && trail <= 0x39) index += 2;
    else if (trail < 0x40 || trail === 0x7f || trail === 0xff) signs.gbFaults += 1;
    else if (trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || lead === 0xa1 || lead === 0xa3)) {
      signs.usual += 1;
      if (lead >= 0xd0) signs.late += 1;
    }
  }
}
