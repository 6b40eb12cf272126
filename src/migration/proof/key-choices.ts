import { keyBytes } from './accepted-digests.ts';
import { type Choice, right, simplest, wrong } from './choice.ts';
import type { MistakeCode } from './mistake-table.ts';
import { isBase64 } from './value-matches.ts';

type ReadKey = (key: string) => Buffer | undefined;

/** How a key may have been read by the system that made the hash. */
const readings = {
  KEY_NOT_DECODED: (key) => Buffer.from(key, 'utf8'),
  KEY_HEX: hexBytes,
  KEY_DECODED_TWICE: (key) => {
    const once = keyBytes(key).toString('latin1');
    return once !== key && once.length % 4 === 0 && isBase64(once) ? Buffer.from(once, 'base64') : undefined;
  },
  KEY_BASE64URL: (key) => (/^[\w-]+=*$/.test(key) ? Buffer.from(key, 'base64url') : undefined),
  KEY_UNPADDED: (key) => (isBase64(key) ? Buffer.from(key, 'base64') : undefined),
  KEY_BLANKS: (key) => keyBytes(key.replace(/^[\s'"]+|[\s'"]+$/g, '')),
} as const satisfies { [Code in MistakeCode]?: ReadKey };

/** The bytes that a key may have stood for, each once. An empty key is no key of the API: that is the mistake. */
export function keyChoices(key: string): Choice<Buffer>[] {
  if (key === '') return wrong('KEY_EMPTY', Buffer.alloc(0));
  const wrongs = Object.entries(readings).flatMap(([code, read]) => wrong(code as MistakeCode, read(key)));
  // Padding can only be what is missing where - and _ are not: then it is said more plainly.
  const plain = /[-_]/.test(key)
    ? wrongs
    : wrongs.filter(({ mistakes }) => !mistakes.includes('KEY_BASE64URL'));
  return simplest([right(keyBytes(key)), ...plain], (bytes) => bytes.toString('hex'));
}

function hexBytes(text: string): Buffer | undefined {
  return /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
}
