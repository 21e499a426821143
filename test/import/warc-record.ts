/** One record of a WARC file, as ISO 28500 wants it. */
export function warcRecord(
  fields: Record<string, string>,
  block: string | Uint8Array,
  { version = 'WARC/1.0' } = {},
): Buffer {
  const bytes = Buffer.from(block as Uint8Array);
  const lines = Object.entries({ ...fields, 'Content-Length': String(bytes.length) });
  const head = `${version}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n\r\n')]);
}

/** The record of an answer with this body. */
export function response(url: string, body: string | Uint8Array, head: string[] = [], status = '200 OK') {
  const lines = [`HTTP/1.1 ${status}`, 'Content-Type: text/html; charset=utf-8', ...head];
  const block = Buffer.concat([
    Buffer.from(`${lines.join('\r\n')}\r\n\r\n`),
    Buffer.from(body as Uint8Array),
  ]);
  const fields = {
    'WARC-Type': 'response',
    'WARC-Target-URI': url,
    'WARC-Date': '2026-02-03T04:05:06Z',
    'Content-Type': 'application/http; msgtype=response',
  };
  return warcRecord(fields, block);
}
