import { createHash } from 'node:crypto';

const sha256 = createHash('sha256').update('secret').digest();

/** A hash of each algorithm in the right form. */
export const goodHashes = {
  md5: createHash('md5').update('secret').digest('hex'),
  md5_sha256: sha256.toString('hex'),
  hmacsha256_base64_key: sha256.toString('base64'),
  bcrypt: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
} as const;
