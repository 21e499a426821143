// Search services on their worst days, each on a port of its own, in the form of SearXNG's answers where they have one.
// Prints { name: port } as one line of JSON and lives until it is killed.
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';

const json = { 'content-type': 'application/json' };
const results = (rows) => JSON.stringify({ results: rows });
const rows = (count, origin) =>
  Array.from({ length: count }, (_, at) => ({
    url: `${origin}/${at}`,
    title: `Heron ${at}`,
    content: 'A heron stands still.',
  }));
const whole = results(rows(5, 'https://honest.example'));
const hundredMegabytes = 100 * 1024 * 1024;
const chunk = Buffer.alloc(64 * 1024, 'x');

/** Writes until so many bytes are out or the other side has had enough. */
function flood(response, left) {
  while (left > 0 && !response.destroyed) {
    left -= chunk.length;
    if (!response.write(chunk)) return response.once('drain', () => flood(response, left));
  }
  response.end();
}

const bomb = gzipSync(Buffer.alloc(hundredMegabytes));
let turn = 0;

const services = {
  honest: (_, response) => response.writeHead(200, json).end(whole),
  silent: () => {},
  stalled: (_, response) => response.writeHead(200, json).write('{"results": ['),
  dripping: (_, response) => {
    response.writeHead(200, json);
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  },
  huge: (_, response) => {
    response.writeHead(200, json).write('{"results": ["');
    flood(response, hundredMegabytes);
  },
  bomb: (_, response) => response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb),
  resetting: (request) => request.socket.resetAndDestroy(),
  cut: (_, response) => {
    response.writeHead(200, { ...json, 'content-length': String(10 * whole.length) }).write(whole);
    setTimeout(() => response.destroy(), 50);
  },
  lying: (_, response) =>
    response
      .writeHead(200, json)
      .end(
        results([
          { url: 'javascript:alert(1)', title: 'x', content: 'x' },
          { url: 'https://other.example/', title: 'Not the site that was asked for', content: 'x' },
          { url: 'https://wide.example/', title: 'Heron '.repeat(100_000), content: 'x' },
          { url: 42, title: null, content: [] },
          ...rows(5000, 'https://many.example'),
        ]),
      ),
  html: (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Robot?</h1>'),
  deep: (_, response) => response.writeHead(200, json).end('['.repeat(1_000_000)),
  looping: (request, response) => response.writeHead(302, { location: request.url }).end(),
  busy: (_, response) => response.writeHead(429, { 'retry-after': '1' }).end(),
  flapping: (request, response) => {
    const moods = ['honest', 'broken', 'resetting', 'silent', 'html'];
    services[moods[turn++ % moods.length]](request, response);
  },
  broken: (_, response) => response.writeHead(500).end('oops'),
};

const listening = (server) =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));

const ports = {};
for (const [name, answer] of Object.entries(services)) ports[name] = await listening(createServer(answer));
ports.garbage = await listening(
  createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.end('\x16\x03\x01 this is not HTTP\r\n\r\n');
  }),
);
// Nobody takes connections here.
ports.absent = await new Promise((resolve) => {
  const server = createTcpServer();
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});
process.stdout.write(`${JSON.stringify(ports)}\n`);
