import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Tally {
  answered: number;
  /** What became of requests without a whole answer. */
  readonly lost: string[];
  /**
   * Set once the service was told to stop. From then on a new connection may be reset instead of refused: the system took it
   * before the port was closed.
   */
  isStopping?: boolean;
}

/** Asks over a connection that is kept open, without pause, until no new connection is taken or `isEnough`. */
export async function askWithoutPause(url: string, tally: Tally, isEnough = () => false): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  while (!isEnough()) {
    const outcome = await new Promise<string>((resolve) => {
      const request = get(url, { agent }, (response) => {
        text(response).then(
          // To be told that there is too much to do is an answer, too.
          (body) => resolve(body.endsWith('}') ? 'answered' : `cut off: ${body}`),
          (error: Error) => resolve(error.message),
        );
      });
      request.once('error', (error: NodeJS.ErrnoException) => {
        const isNew = !request.reusedSocket;
        resolve(
          tally.isStopping && isNew && error.code === 'ECONNRESET'
            ? 'ECONNREFUSED'
            : (error.code ?? error.message),
        );
      });
    });
    if (outcome === 'ECONNREFUSED') return;
    if (outcome === 'answered') tally.answered += 1;
    else tally.lost.push(outcome);
  }
}
