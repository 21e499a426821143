import { z } from 'zod';
import { isoTimestamp } from './search.ts';

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const time = isoTimestamp.nullable();

/** The pages of one host. */
export const HostReport = z.object({
  host: z.string().describe('Host with its port; empty for pages of files.'),
  pages: count.describe('Pages in the data folder.'),
  copies: count.describe('How many of these are copies of another page; searches leave them out.'),
  last_visit: time.describe('When one of the pages was last read; null where none could be.'),
  next_visit: time.describe('The next planned visit; null without one.'),
  failures: z
    .array(z.object({ reason: z.string(), urls: count }))
    .describe('Why URLs of the host are no pages, the commonest reason first.'),
});
export type HostReport = z.infer<typeof HostReport>;

/** The answer of `/api/v1/status`: the state of the service and of its data folder. */
export const StatusReport = z.object({
  version: z.string().describe('Version of the service.'),
  uptime_seconds: count.describe('How long this process has run.'),
  memory_bytes: count.describe('Memory of this process.'),
  pages: count.describe('Pages in the data folder.'),
  searchable: count.describe('Pages that can be found now.'),
  copies: count.describe('Pages that are copies of another one, as of surveyed_at.'),
  disk_bytes: count.describe('What the data folder takes on disk, as of surveyed_at.'),
  storage: z.string().nullable().describe('Why nothing can be stored now; null while all is well.'),
  index: z
    .object({
      segments: count.describe('Packed segments.'),
      live_pages: count.describe('Pages that are not packed yet.'),
      unpacked_changes: count.describe('Changes that are not packed yet.'),
    })
    .describe('The index.'),
  requests: z
    .object({
      in_flight: count.describe('Counted requests that are being answered.'),
      waiting: count.describe('Counted requests that wait for their turn.'),
    })
    .describe('The queue of this process.'),
  limits: z
    .record(z.string(), z.string())
    .describe('The limits of one client: per minute / at once, or off.'),
  providers: z
    .array(
      z.object({
        name: z.string(),
        asked_at: time,
        answered_at: time,
        took_ms: z.number().nullable(),
        failure: z.string().nullable().describe('What was wrong last; null while all is well.'),
        missing: z.string().nullable().describe('What its last answer could not search.'),
        retry_at: time.describe('It is left alone until then.'),
        remaining: z.number().nullable().describe('Requests that it says are left.'),
      }),
    )
    .describe('Other search services that are asked.'),
  crawls: z
    .array(
      z.object({
        host: z.string().describe('Where the crawl began.'),
        is_running: z.boolean().describe('Whether it was running when its state was last stored.'),
        pages: count.describe('Pages that it has stored.'),
        queued: count.describe('URLs that it has not visited yet.'),
        pages_per_minute: count.nullable().describe('Its pace; null while it is not known.'),
        expected_end: time.describe(
          'When it will have visited them, at this pace; null while it is not known.',
        ),
      }),
    )
    .describe('Crawls that have not visited all that they found.'),
  host_count: count.describe('How many hosts there are.'),
  hosts: z.array(HostReport).describe('The hosts with the most pages, as of surveyed_at.'),
  surveyed_at: isoTimestamp.describe('From when the numbers by host are: all pages are counted for them.'),
});
export type StatusReport = z.infer<typeof StatusReport>;
