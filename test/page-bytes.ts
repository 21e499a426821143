import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** The bytes of a page of a data set; large sets have them gzipped. */
export function pageBytes(file: URL): Buffer {
  const bytes = readFileSync(file);
  return file.pathname.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}
