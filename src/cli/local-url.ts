/** The URL of a service for clients on this machine. `0.0.0.0` and `::` stand for all addresses: clients need a real one. */
export function localUrl(url: string): string {
  const local = new URL(url);
  if (local.hostname === '0.0.0.0' || local.hostname === '[::]') local.hostname = 'localhost';
  return local.origin;
}
