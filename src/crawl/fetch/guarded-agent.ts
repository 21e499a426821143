import type { LookupFunction } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import {
  type AddressGuard,
  type AddressGuardOptions,
  createAddressGuard,
  isOnOwnNetwork,
} from './address-guard.ts';

const maxHeaderBytes = 32 * 1024;

/** The addresses that a request may go to: `any` that is open, or of these the public or the private ones alone. */
export type NetworkSide = 'public' | 'private';

/** Guards and agents for each side of the network. An agent is opened with its first request. */
export interface GuardedAgents {
  guardOf(side: NetworkSide | 'any'): AddressGuard;
  agentOf(side: NetworkSide | 'any'): Promise<Agent>;
  /** The side that a host is on now. */
  sideOf(hostname: string): Promise<NetworkSide>;
  close(): Promise<void>;
}

export function createGuardedAgents(
  { allowPrivate = false, resolve }: Pick<AddressGuardOptions, 'allowPrivate' | 'resolve'>,
  timeoutMs: number,
): GuardedAgents {
  const shared = resolve === undefined ? {} : { resolve };
  const guards = {
    any: createAddressGuard({ ...shared, allowPrivate }),
    public: createAddressGuard(shared),
    private: createAddressGuard({ ...shared, allowPrivate, refusesPublic: true }),
  };
  const agents = new Map<AddressGuard, Promise<Agent>>();
  return {
    guardOf: (side) => guards[side],
    agentOf(side) {
      const agent = agents.get(guards[side]) ?? openGuardedAgent(guards[side], timeoutMs);
      agents.set(guards[side], agent);
      return agent;
    },
    async sideOf(hostname) {
      const isOpen = allowPrivate !== false;
      return isOpen && (await isOnOwnNetwork(hostname, resolve)) ? 'private' : 'public';
    },
    async close() {
      const opened = [...agents.values()];
      agents.clear();
      await Promise.all(opened.map(async (agent) => (await agent).destroy()));
    },
  };
}

/** undici with every address guarded: literal names, looked-up addresses, and the peer of the connection. */
async function openGuardedAgent(guard: AddressGuard, timeoutMs: number): Promise<Agent> {
  const undici = await import('undici');
  const dials = new Map<string, buildConnector.connector>();
  /** A lookup is not told the port, on which may depend what is open. */
  const dialPort = (port: string): buildConnector.connector => {
    const lookup: LookupFunction = (name, ...rest) => guard.connectionTo(name, port).lookup(name, ...rest);
    const options = { lookup, timeout: timeoutMs } as buildConnector.BuildOptions;
    const dial = dials.get(port) ?? undici.buildConnector(options);
    dials.set(port, dial);
    return dial;
  };
  const connect: buildConnector.connector = (target, callback) => {
    // As in a URL: the port of the scheme is none.
    const isDefault = target.port === (target.protocol === 'https:' ? '443' : '80');
    const port = isDefault ? '' : target.port;
    const connection = guard.connectionTo(target.hostname, port);
    try {
      connection.checkHostname();
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    dialPort(port)(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      try {
        connection.checkPeer(socket.remoteAddress);
      } catch (refusal) {
        socket.destroy();
        return callback(refusal as Error, null);
      }
      callback(null, socket);
    });
  };
  return new undici.Agent({
    connect,
    connections: 1,
    keepAliveTimeout: 5000,
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
}
