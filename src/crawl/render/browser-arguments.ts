import type { Defence } from './messages.ts';
import { maxPageHeapMB } from './render-limits.ts';

/** What Chromium is started with, so that its only way to a network is a proxy on loopback that refuses everything. */
export function browserArguments(refusingPort: number, without: readonly Defence[]): string[] {
  const unless = (defence: Defence, ...flags: string[]) => (without.includes(defence) ? [] : flags);
  return [
    ...unless(
      'proxy',
      `--proxy-server=http://127.0.0.1:${refusingPort}`,
      // Chromium would reach loopback without a proxy.
      '--proxy-bypass-list=<-loopback>',
    ),
    ...unless('names', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--dns-prefetch-disable'),
    // WebRTC sends datagrams past any proxy; the second is the older name.
    ...unless(
      'webrtc',
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    ),
    '--disable-quic',
    '--no-pings',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-domain-reliability',
    '--disable-breakpad',
    '--deny-permission-prompts',
    `--js-flags=--max-old-space-size=${maxPageHeapMB}`,
  ];
}
