import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** Sockets that nothing may reach. `arrived` has one line for each connection, datagram and name. */
export interface Canary {
  readonly http: string;
  readonly udp: string;
  readonly arrived: readonly string[];
}

/** A TCP and a UDP socket on loopback, which end with the test. */
export async function openCanary(): Promise<Canary> {
  const arrived: string[] = [];
  const tcp = createServer((socket) => {
    socket.on('error', () => {});
    let line = 'a connection without a byte';
    const noted = () => arrived.push(line);
    const timer = setTimeout(noted, 1000);
    socket.once('data', (bytes) => {
      clearTimeout(timer);
      line = `TCP ${bytes.toString('latin1').split('\r\n', 1)[0]?.slice(0, 80)}`;
      noted();
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    });
  });
  const udp = createSocket('udp4');
  udp.on('message', (bytes) => arrived.push(`UDP ${bytes.length} bytes`));
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    tcp.close();
    udp.close();
  });
  return {
    http: `http://127.0.0.1:${(tcp.address() as AddressInfo).port}`,
    udp: `127.0.0.1:${udp.address().port}`,
    arrived,
  };
}

/** A DNS server on port 53 of an address of its own on loopback; it answers every name with none. */
export async function openNameCanary(address: string, suffix: string): Promise<readonly string[]> {
  const names: string[] = [];
  const server = createSocket('udp4');
  server.on('message', (query, { port, address: from }) => {
    const name = nameIn(query);
    if (name.toLowerCase().endsWith(suffix)) names.push(name);
    const answer = Buffer.from(query);
    answer[2] = 0x81;
    answer[3] = 0x83;
    answer.writeUInt16BE(0, 10);
    server.send(answer, port, from);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.bind(53, address, resolve);
  });
  onTestFinished(() => void server.close());
  return names;
}

/** The name of a query (RFC 1035 section 4.1.2). */
function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let offset = 12; (query[offset] ?? 0) > 0; offset += (query[offset] ?? 0) + 1)
    labels.push(query.toString('latin1', offset + 1, offset + 1 + (query[offset] ?? 0)));
  return labels.join('.');
}
