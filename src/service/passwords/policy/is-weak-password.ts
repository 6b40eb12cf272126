/** Letters that digits and special characters stand for; `1` and `!` stand for two letters each, see `undisguise`. */
const substitutes: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

/** What people commonly put around a word until a policy accepts it. Longer additions would make the password stronger. */
const before = /^[^a-z\d]{0,2}$/;
const after = /^(?:[^a-z\d]{0,2}\d{1,4})?[^a-z\d]{0,2}$/;
const longestBefore = 2;
const longestAfter = 8;
const shortestWord = 3;

let known: Promise<ReadonlySet<string>> | undefined;

/**
 * True if a password is one of the 49,000 most used ones, or one of them in disguise: in other letter case, backwards, with letters
 * replaced by the digits and special characters that look like them, with one special character somewhere in it, or with at most
 * two special characters around it and a number of at most four digits, such as a year, at its end.
 */
export async function isWeakPassword(password: string): Promise<boolean> {
  known ??= loadPasswords();
  const passwords = await known;
  return disguises(password.toLowerCase()).some((word) => passwords.has(word));
}

/** Loaded with the first password that passes the other rules, because the list is large. */
async function loadPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

function disguises(text: string): string[] {
  const joined = text.replace(/[^a-z\d]/, '');
  const words = new Set([...bareWords(text), ...(/[^a-z\d]/.test(joined) ? [] : bareWords(joined))]);
  const letters = [...words].flatMap((word) => [undisguise(word, 'i'), undisguise(word, 'l')]);
  const forwards = [...words, ...letters];
  return [...forwards, ...forwards.map((word) => [...word].reverse().join(''))];
}

function bareWords(text: string): string[] {
  const words: string[] = [];
  for (let start = 0; start <= longestBefore; start += 1) {
    if (!before.test(text.slice(0, start))) break;
    const least = Math.max(start + shortestWord, text.length - longestAfter);
    for (let end = text.length; end >= least; end -= 1) {
      if (after.test(text.slice(end))) words.push(text.slice(start, end));
    }
  }
  return words;
}

function undisguise(word: string, one: 'i' | 'l'): string {
  return word.replace(/[1!]/g, one).replace(/[@430$57]/g, (sign) => substitutes[sign] ?? sign);
}
