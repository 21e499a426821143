import { expect, test, vi } from 'vitest';
import { startProgress } from '../../src/mcp/progress.ts';

test('what a call is doing is told again and again, counting up, until it stops', async () => {
  vi.useFakeTimers();
  try {
    const sent: object[] = [];
    const progress = startProgress({ send: async (told) => void sent.push(told), everyMs: 1000 });
    vi.advanceTimersByTime(1500);
    expect(sent).toEqual([]);
    progress.report('Opening the index');
    vi.advanceTimersByTime(1000);
    progress.report('Visiting the page');
    vi.advanceTimersByTime(2000);
    progress.stop();
    vi.advanceTimersByTime(5000);
    expect(sent).toEqual([
      { progress: 1, message: 'Opening the index' },
      { progress: 2, message: 'Visiting the page' },
      { progress: 3, message: 'Visiting the page' },
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test('a client that is gone breaks nothing', async () => {
  vi.useFakeTimers();
  try {
    const send = vi.fn(() => Promise.reject(new Error('not connected')));
    const progress = startProgress({ send, everyMs: 1000 });
    progress.report('Searching the index');
    await vi.advanceTimersByTimeAsync(2000);
    progress.stop();
    expect(send).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});
