const han = /\p{Script=Han}/u;
const latin = /\p{Script=Latin}/u;
const hanPart = /\p{Script=Han}(?:[^\p{L}]*\p{Script=Han})*/gu;
const latinPart = /\p{Script=Latin}(?:[^\p{L}]*\p{Script=Latin})*/gu;

/** The choices for each position of a spelling: readings of a Chinese character, or forms of a letter. */
type Spelling = string[][];

/** Separators between the words of a name; a password may have another one, or none. */
const separators = ['', '.', '-', '_'];

/** Returns a text without what can stand between the words of a name. */
export function withoutSeparators(text: string): string {
  return text.replace(/[.\-_]/g, '');
}

/**
 * Returns every way to write a name in lower case: in full, and by its initials. Chinese characters are written in Pinyin without
 * tones, in each of their readings and in their reading as a surname (`ü` as `v`, `u` and `yu`); Latin letters lose their accents.
 * A name in both scripts is used as a whole and by its parts.
 */
export async function nameReadings(name: string): Promise<Spelling[]> {
  const text = name.normalize('NFKC');
  const parts = new Set([text, ...(text.match(hanPart) ?? []), ...(text.match(latinPart) ?? [])]);
  const spellings = await Promise.all([...parts].map(spell));
  return spellings.flatMap((positions) => [
    positions.map(({ full }) => full),
    positions.map(({ initial }) => initial),
  ]);
}

interface Position {
  full: string[];
  initial: string[];
}

async function spell(part: string): Promise<Position[]> {
  const characters = [...part];
  const pinyin = han.test(part) ? await readPinyin(part, characters) : [];
  return characters.map((character, index) => {
    const readings = pinyin[index];
    if (readings)
      return { full: readings, initial: [...new Set(readings.map((reading) => reading[0] ?? ''))] };
    if (!latin.test(character)) return { full: [...separators, character], initial: [''] };
    const letters = character.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    const startsWord = !latin.test(characters[index - 1] ?? '');
    return { full: [letters], initial: [startsWord ? letters : ''] };
  });
}

/** Returns the readings of each Chinese character; `undefined` for any other character. */
async function readPinyin(part: string, characters: string[]): Promise<(string[] | undefined)[]> {
  // Loaded with the first Chinese name, because its tables are large.
  const { pinyin, polyphonic } = await import('pinyin-pro');
  const plain = { toneType: 'none', type: 'array' } as const;
  const asSurname = pinyin(part, { ...plain, surname: 'all' });
  return characters.map((character, index) => {
    if (!han.test(character)) return undefined;
    const readings = [...(polyphonic(character, plain)[0] ?? []), asSurname[index] ?? ''];
    const spellings = readings.filter((reading) => /^[a-zü]+$/.test(reading)).flatMap(withoutUmlaut);
    return spellings.length === 0 ? undefined : [...new Set(spellings)];
  });
}

function withoutUmlaut(reading: string): string[] {
  return reading.includes('ü') ? ['v', 'u', 'yu'].map((vowel) => reading.replace('ü', vowel)) : [reading];
}
