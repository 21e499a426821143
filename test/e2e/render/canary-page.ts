/** A page with every way out of a browser that we know, each to an address of its own at the canary. */
export interface CanaryTargets {
  /** `http://…` of the canary, which the crawler may not reach. */
  readonly http: string;
  /** Host and port of its UDP socket. */
  readonly udp: string;
  /** A name that nothing may look up; each use is a label before it. */
  readonly name: string;
}

/** The document, which is served by the site that may be read. Its scripts end by drawing a text. */
export function canaryPage({ http, udp, name }: CanaryTargets): string {
  const to = (what: string) => `${http}/${what}`;
  return `<!doctype html><html><head><title>Canary</title>
<link rel="stylesheet" href="${to('stylesheet')}">
<link rel="preload" as="script" href="${to('preload')}">
<link rel="modulepreload" href="${to('modulepreload')}">
<link rel="prefetch" href="${to('prefetch')}">
<link rel="prerender" href="${to('prerender')}">
<link rel="preconnect" href="${http}">
<link rel="dns-prefetch" href="//dns-prefetch.${name}">
<link rel="preconnect" href="http://preconnect.${name}">
<link rel="icon" href="${to('icon')}">
<link rel="manifest" href="${to('manifest')}">
<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${to('speculation-prefetch')}","/redirect?speculation"],"eagerness":"immediate"}],
"prerender":[{"source":"list","urls":["${to('speculation-prerender')}","/speculated"],"eagerness":"immediate"}]}</script>
<style>@import url(${to('import')}); @font-face { font-family: x; src: url(${to('font')}) } body { font-family: x; background: url(${to('background')}) }</style>
</head><body><div id="root"></div>
<img src="${to('image')}"><img src="/redirect?image"><picture><source srcset="${to('srcset')}"><img></picture>
<iframe src="${to('iframe')}"></iframe><iframe src="/redirect?iframe"></iframe>
<iframe srcdoc="<img src='${to('srcdoc')}'>"></iframe>
<object data="${to('object')}"></object><embed src="${to('embed')}">
<video src="${to('video')}" poster="${to('poster')}" autoplay></video><audio src="${to('audio')}" autoplay></audio>
<svg><image href="${to('svg')}"/></svg>
<a id="ping" href="#here" ping="${to('ping')}">ping</a>
<form id="form" action="${to('form')}" method="post" target="sink"><input name="a" value="b"></form><iframe name="sink"></iframe>
<script src="${to('script')}"></script>
<script type="module">
const attempt = (work) => { try { Promise.resolve(work()).catch(() => {}) } catch {} };
const asWorker = (kind) => \`
  const attempt = (work) => { try { Promise.resolve(work()).catch(() => {}) } catch {} };
  attempt(() => fetch('${http}/\${kind}-fetch', { mode: 'no-cors' }));
  attempt(() => importScripts('${http}/\${kind}-import'));
  attempt(() => { const request = new XMLHttpRequest(); request.open('GET', '${http}/\${kind}-xhr'); request.send() });
  attempt(() => new WebSocket('${http.replace('http', 'ws')}/\${kind}-socket'));
  attempt(() => new EventSource('${http}/\${kind}-events'));
  attempt(() => fetch('${'http://'}\${kind}.${name}/', { mode: 'no-cors' }));
\`;
const blob = (kind) => URL.createObjectURL(new Blob([asWorker(kind)], { type: 'text/javascript' }));
attempt(() => fetch('${to('fetch')}', { mode: 'no-cors' }));
attempt(() => fetch('/redirect?fetch', { mode: 'no-cors' }));
attempt(() => fetch('${to('keepalive')}', { method: 'POST', mode: 'no-cors', keepalive: true, body: 'x' }));
attempt(() => fetch('${to('local')}', { mode: 'no-cors', targetAddressSpace: 'local' }));
attempt(() => { const request = new XMLHttpRequest(); request.open('POST', '${to('xhr')}'); request.send('x') });
attempt(() => navigator.sendBeacon('${to('beacon')}', 'x'));
attempt(() => new EventSource('${to('events')}'));
attempt(() => new WebSocket('${to('socket').replace('http', 'ws')}'));
attempt(() => new Worker(blob('worker')));
attempt(() => new Worker('/worker.js'));
attempt(() => new SharedWorker(blob('shared')));
attempt(() => new SharedWorker('/worker.js?shared'));
attempt(() => navigator.serviceWorker.register('/service.js'));
attempt(() => new WebTransport('https://${udp}/transport'));
attempt(() => open('${to('popup')}'));
attempt(() => open('/redirect?popup'));
attempt(() => document.getElementById('form').submit());
attempt(() => document.getElementById('ping').click());
attempt(() => import('${to('dynamic')}'));
attempt(() => CSS.paintWorklet?.addModule('${to('worklet')}'));
attempt(() => new AudioContext().audioWorklet.addModule('${to('audio-worklet')}'));
attempt(() => fetch('http://fetch.${name}/', { mode: 'no-cors' }));
attempt(() => { new Image().src = 'http://image.${name}/' });
attempt(async () => {
  for (const urls of ['stun:${udp}', 'turn:${udp}?transport=udp', 'turn:${udp.replace(/:\d+$/, '')}:${new URL(http).port}?transport=tcp', 'stun:stun.${name}:3478']) {
    const peer = new RTCPeerConnection({ iceServers: [{ urls, username: 'a', credential: 'b' }] });
    peer.createDataChannel('x');
    await peer.setLocalDescription(await peer.createOffer());
  }
});
attempt(() => { const frame = document.createElement('iframe'); frame.src = 'javascript:fetch("${to('frame-script')}", { mode: "no-cors" })'; document.body.append(frame) });
fetch('/wait').then(() => {
  const root = document.getElementById('root');
  root.innerHTML = '<p>The canary page has tried everything that it knows, and this is the text that it draws at its end.</p>';
});
</script></body></html>`;
}

/** What the workers of the site's own origin run; the same for a service worker. */
export function canaryWorker({ http, name }: CanaryTargets): string {
  return `
const attempt = (work) => { try { Promise.resolve(work()).catch(() => {}) } catch {} };
attempt(() => fetch('${http}/own-worker-fetch', { mode: 'no-cors' }));
attempt(() => fetch('/redirect?worker', { mode: 'no-cors' }));
attempt(() => importScripts('${http}/own-worker-import'));
attempt(() => new WebSocket('${http.replace('http', 'ws')}/own-worker-socket'));
attempt(() => fetch('http://own-worker.${name}/', { mode: 'no-cors' }));
`;
}
